import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { untilAtRest } from '../support/at-rest.ts'
import { openContext } from '../support/browser.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const say = (key: string) => words('en', 'streaming_blocks', key)
const composer = (page: Page) => page.getByRole('textbox', { name: say('composer.label') })
const waitingList = (page: Page) => page.getByRole('list', { name: say('outbox.label') })
const newChat = (page: Page) =>
  page.getByRole('button', { name: new RegExp(`^${words('en', 'common', 'nav.new_chat')}`) }).first()

async function send(page: Page, text: string) {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

/** Returns the questions of each chat of a user, newest chat first. */
async function questions(token: string): Promise<string[][]> {
  const account = accountAt(journey.url, token, 'ada')
  const { items } = await account.call<{ items: { id: string }[] }>('GET', '/sessions')
  const branches = items.map(({ id }) =>
    account.call<{ active_branch: { role: string; content: string }[] }>(
      'GET',
      `/sessions/${id}/active-branch`,
    ),
  )
  return (await Promise.all(branches)).map(({ active_branch }) =>
    active_branch.filter(({ role }) => role === 'user').map(({ content }) => content),
  )
}

const written = async (token: string) => (await questions(token)).filter((chat) => chat.length > 0)

async function twoTabs(
  name: string,
): Promise<{ token: string; context: BrowserContext; tabs: [Page, Page] }> {
  const token = await journey.signUp(name)
  const context = await openContext(journey.browser, { url: journey.url, token })
  const [one, two] = [await context.newPage(), await context.newPage()]
  for (const tab of [one, two]) {
    await tab.goto('/')
    await tab.waitForURL(/\/chat\/.+/)
    await untilAtRest(tab)
  }
  expect(two.url()).toBe(one.url())
  return { token, context, tabs: [one, two] }
}

describe('new chat created offline', () => {
  it('preserves its first message across a reload and becomes one chat on reconnect', async () => {
    const token = await journey.signUp('ada')
    const page = await journey.open('/', { token })
    await page.waitForURL(/\/chat\/.+/)
    await send(page, 'Before')
    await page.getByRole('article').nth(1).waitFor()
    await untilAtRest(page)
    const before = page.url()
    await page.context().setOffline(true)
    await newChat(page).click()
    await page.waitForURL((url) => /\/chat\/.+/.test(url.pathname) && url.href !== before)
    await send(page, 'Without a connection')
    await waitingList(page).getByText('Without a connection').waitFor()
    await waitingList(page).getByText(say('outbox.connection')).waitFor()
    expect(await composer(page).inputValue()).toBe('')
    const address = page.url()
    await page.context().setOffline(false)
    await page.reload()
    await page.getByRole('article').getByText('Without a connection', { exact: true }).waitFor()
    await page.getByRole('article').nth(1).waitFor()
    await waitingList(page).waitFor({ state: 'detached' })
    expect(page.url()).toBe(address)
    expect(await questions(token)).toEqual([['Without a connection'], ['Before']])
    expect(journey.errors).toEqual([])
  })

  it('is sent on reconnect, whichever chat is open', async () => {
    const token = await journey.signUp('bea')
    const page = await journey.open('/', { token })
    await page.waitForURL(/\/chat\/.+/)
    await send(page, 'Before')
    await page.getByRole('article').nth(1).waitFor()
    await untilAtRest(page)
    const before = page.url()
    await page.context().setOffline(true)
    await newChat(page).click()
    await page.waitForURL((url) => /\/chat\/.+/.test(url.pathname) && url.href !== before)
    await send(page, 'One')
    await send(page, 'Two')
    await waitingList(page).getByText('Two').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('article').getByText('Two', { exact: true }).waitFor()
    await expect.poll(() => questions(token), { timeout: 20_000 }).toEqual([['One', 'Two'], ['Before']])
  })

  it('exists once if nothing was written in it, and stays unknown to the server if it is left', async () => {
    const token = await journey.signUp('fay')
    const page = await journey.open('/', { token })
    await page.waitForURL(/\/chat\/.+/)
    await send(page, 'Before')
    await page.getByRole('article').nth(1).waitFor()
    await untilAtRest(page)
    const before = page.url()
    await page.context().setOffline(true)
    const row = (address: string) => page.locator(`nav a[href="${new URL(address).pathname}"]`)
    const addresses = new Set<string>()
    for (let times = 0; times < 3; times++) {
      await newChat(page).click()
      await page.waitForURL((url) => /\/chat\/.+/.test(url.pathname) && url.href !== before)
      addresses.add(page.url())
      await row(before).click()
      await page.waitForURL(before)
    }
    expect(addresses.size).toBe(1)
    await page.context().setOffline(false)
    const [begun = ''] = addresses
    await expect.poll(() => row(begun).count(), { timeout: 20_000 }).toBe(0)
    await page.reload()
    await page.getByRole('article').nth(1).waitFor()
    await untilAtRest(page)
    expect(await questions(token)).toEqual([['Before']])
    expect(journey.errors).toEqual([])
  })
})

describe('two tabs with a new chat', () => {
  it('preserve their own drafts and each create a chat when they send', async () => {
    const { token, tabs } = await twoTabs('cid')
    const [one, two] = tabs
    await composer(one).fill('Of the first tab')
    await composer(two).fill('Of the second tab')
    await one.reload()
    await composer(one).waitFor()
    await untilAtRest(one)
    expect(await composer(one).inputValue()).toBe('Of the first tab')
    expect(await composer(two).inputValue()).toBe('Of the second tab')
    await composer(one).press('Enter')
    await one.getByRole('article').nth(1).waitFor()
    await two.waitForURL((url) => /\/chat\/.+/.test(url.pathname) && url.href !== one.url())
    await untilAtRest(two)
    expect(await composer(two).inputValue()).toBe('Of the second tab')
    await composer(two).press('Enter')
    await two.getByRole('article').getByText('Of the second tab', { exact: true }).waitFor()
    await two.getByRole('article').nth(1).waitFor()
    expect(await one.getByRole('article').getByText('Of the second tab').count()).toBe(0)
    await expect
      .poll(() => questions(token), { timeout: 20_000 })
      .toEqual([['Of the second tab'], ['Of the first tab']])
    expect(journey.errors).toEqual([])
  })

  it('create two chats when they send simultaneously', async () => {
    const { token, tabs } = await twoTabs('dan')
    // A tab without a draft shows the other tab's draft, because a person writes in one tab at a time.
    for (const [at, tab] of tabs.entries()) await composer(tab).fill(`Question ${at}`)
    await Promise.all(tabs.map((tab) => composer(tab).press('Enter')))
    await Promise.all(
      tabs.map((tab, at) => tab.getByRole('article').getByText(`Question ${at}`, { exact: true }).waitFor()),
    )
    await expect
      .poll(async () => (await written(token)).sort(), { timeout: 20_000 })
      .toEqual([['Question 0'], ['Question 1']])
    expect(tabs[0].url()).not.toBe(tabs[1].url())
  })

  it('continue in a tab without a draft what the other one sent', async () => {
    const { token, tabs } = await twoTabs('eve')
    const [one, two] = tabs
    await send(one, 'Hello')
    await two.getByRole('article').nth(1).waitFor()
    await untilAtRest(two)
    expect(two.url()).toBe(one.url())
    expect(await composer(two).inputValue()).toBe('')
    await send(two, 'And more')
    await expect.poll(() => questions(token), { timeout: 20_000 }).toEqual([['Hello', 'And more']])
  })

  it('create two chats when both send offline', async () => {
    const { token, context, tabs } = await twoTabs('fay')
    await context.setOffline(true)
    for (const [at, tab] of tabs.entries()) {
      await send(tab, `Question ${at}`)
      await waitingList(tab).getByText(`Question ${at}`).waitFor()
    }
    await context.setOffline(false)
    await expect
      .poll(async () => (await written(token)).sort(), { timeout: 30_000 })
      .toEqual([['Question 0'], ['Question 1']])
  })
})
