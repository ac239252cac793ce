import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { signedInRoutes } from '../support/all-routes.ts'
import { untilAtRest } from '../support/at-rest.ts'
import { openContext } from '../support/browser.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, says } from '../support/model-server.ts'

/** Maximum layout shift of any page. 0.1 is the usual limit for a good page. */
const MAX_SHIFT = 0.02

let journey: Journey
let token: string
let chat: string
beforeAll(async () => {
  journey = await startJourney({ tokensPerSecond: 150 })
  token = await journey.signUp('ada')
  const ada = accountAt(journey.url, token, 'ada')
  const session = await ada.call<{ id: string }>('POST', '/sessions', {})
  chat = `/chat/${session.id}`
  journey.model.reply([says('# Lots\n\n', ...'Lot 3 first. '.repeat(60).split(/(?<= )/))])
  const page = await visit(chat)
  await ask(page, 'Which lots?')
  await page.context().close()
  for (let at = 1; at <= 12; at++) await addDocument(`rules ${at}.md`)
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

/** Runs in the page: records layout shifts, movements of the composer, and empty chats that flashed a greeting. */
const watch = `window.calm = { moved: 0, what: [], places: [], greeted: false }
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue
    calm.moved += value
    for (const { node, previousRect: a, currentRect: b } of sources)
      calm.what.push([value.toFixed(4), (node?.outerHTML ?? node?.textContent ?? '').slice(0, 120), a.y, b.y, a.height, b.height])
  }
}).observe({ type: 'layout-shift', buffered: true })
const look = () => {
  const top = document.querySelector('main textarea')?.getBoundingClientRect().top
  if (top !== undefined && calm.places.at(-1) !== Math.round(top)) calm.places.push(Math.round(top))
  if (document.querySelector('main ul .icon-18')) calm.greeted = true
  requestAnimationFrame(look)
}
look()`

type Calm = { moved: number; what: unknown[]; places: number[]; greeted: boolean }
const seen = (page: Page) => page.evaluate<Calm>('window.calm')
const hasFocus = (page: Page) =>
  page.evaluate<boolean>(`document.activeElement === document.querySelector('main textarea')`)
const field = (page: Page) =>
  page.getByRole('textbox', { name: words('en', 'streaming_blocks', 'composer.label') })

type Visit = { as?: string | null; like?: Page; within?: BrowserContext; width?: number }

/** Opens an address with motion enabled, in a fresh profile or in that of another page. */
async function visit(path: string, { as = token, like, within, width = 1280 }: Visit = {}): Promise<Page> {
  const known = within ?? like?.context()
  const context = known ?? (await openContext(journey.browser, { url: journey.url, token: as ?? '', width }))
  if (!known) await context.addInitScript(watch)
  const page = await context.newPage()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(path)
  await settle(page)
  return page
}

async function addDocument(name: string): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob(['# Rules\n\nThe harbour is closed on Sundays.\n']), name)
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${journey.url}/api/v1/documents/upload`, { method: 'POST', headers, body: form })
}

/** Waits until all late content has arrived, and a while longer. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await untilAtRest(page, 500)
}

async function ask(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
  const stop = page.getByRole('button', { name: words('en', 'streaming_blocks', 'composer.stop') })
  await stop.waitFor()
  await stop.waitFor({ state: 'detached', timeout: 60_000 })
  await settle(page)
}

function expectCalm({ moved, what }: Calm): void {
  expect(moved, JSON.stringify(what, null, 1)).toBeLessThan(MAX_SHIFT)
}

describe('page layout', () => {
  it.each([1280, 390])(
    'is stable when any page is opened with a cold and a warm cache, %i px wide',
    { timeout: 600_000 },
    async (width) => {
      const found: string[] = []
      for (const path of [chat, ...signedInRoutes]) {
        const context = await openContext(journey.browser, { url: journey.url, token, width })
        await context.addInitScript(watch)
        for (const cache of ['cold', 'warm']) {
          const page = await visit(path, { within: context })
          const { moved, what, places, greeted } = await seen(page)
          if (moved >= MAX_SHIFT) found.push(`${path}, ${cache}: ${moved} ${JSON.stringify(what)}`)
          if (path === chat && cache === 'warm' && (places.length > 1 || greeted))
            found.push(`${path}: the composer moved, or an empty chat flashed`)
          await page.close()
        }
        await context.close()
      }
      expect(found).toEqual([])
    },
  )

  it.each([
    ['auto', 1280],
    ['auto', 390],
    ['ask', 1280],
    ['ask', 390],
  ] as const)(
    'is stable when a chat with a tool call is opened, with cold and warm caches, for the tool on %s, %i px wide',
    async (policy, width) => {
      const name = `tool${policy}${width}`
      const owner = await journey.signUp(name)
      const person = accountAt(journey.url, owner, name)
      await person.call('PUT', '/tools/calculator/policy', { policy })
      const { id } = await person.call<{ id: string }>('POST', '/sessions', {})
      journey.model.reply([
        says('# Lots\n\n', ...'Lot 3 first. '.repeat(60).split(/(?<= )/)),
        calls('calculator', { a: 21, b: 2, operation: 'multiply' }),
      ])
      journey.model.reply([says('It is 42.')])
      const begun = await visit(`/chat/${id}`, { as: owner })
      await field(begun).fill('What is 21 * 2?')
      await field(begun).press('Enter')
      const end =
        policy === 'ask'
          ? begun.getByRole('button', { name: 'Approve and run' })
          : begun.getByText('It is 42.').last()
      await end.waitFor()
      await begun.context().close()
      const cold = await visit(`/chat/${id}`, { as: owner, width })
      expectCalm(await seen(cold))
      const warm = await visit(`/chat/${id}`, { like: cold })
      expectCalm(await seen(warm))
      await warm.context().close()
    },
  )

  it.each(['/login', '/login/signup', '/login/forgot-password'])(
    'is stable when %s is opened with cold and warm caches',
    async (path) => {
      const cold = await visit(path, { as: null })
      expectCalm(await seen(cold))
      const warm = await visit(path, { like: cold })
      expectCalm(await seen(warm))
      await warm.context().close()
    },
  )

  it('is stable when a sign-in is refused: everything above the reason stays in place', async () => {
    const page = await visit('/login', { as: null })
    const name = page.getByLabel(words('en', 'login', 'username_or_email'))
    const heading = page.locator('main h1')
    const place = await heading.boundingBox()
    await name.fill('ada')
    await page.getByLabel(words('en', 'login', 'password'), { exact: true }).fill('not the password')
    await page.getByRole('button', { name: words('en', 'login', 'log_in'), exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    expect((await heading.boundingBox())?.y).toBe(place?.y)
    await page.context().close()
  })

  it('is stable when a new user arrives: the composer is in the middle and stays there', async () => {
    const newcomer = await journey.signUp('grace')
    for (const times of ['first', 'second']) {
      const page = await visit('/', { as: newcomer })
      // Each example is offered in the field, even the longest.
      for (const example of await page.locator('main ul .icon-18').all()) {
        await example.hover()
        await page.waitForTimeout(100)
      }
      const { places, greeted, ...rest } = await seen(page)
      expectCalm({ places, greeted, ...rest })
      expect([times, places.length, greeted]).toEqual([times, 1, true])
      await page.context().close()
    }
  })

  it('moves the composer to the middle once when a new chat is started, and focuses it', async () => {
    const page = await visit(chat)
    const before = await seen(page)
    await page
      .getByRole('button', { name: words('en', 'common', 'nav.new_chat') })
      .first()
      .click()
    await page.waitForURL((url) => url.pathname !== chat && url.pathname.startsWith('/chat/'))
    await settle(page)
    const after = await seen(page)
    expectCalm(after)
    expect(after.places).toHaveLength(before.places.length + 1)
    expect(await hasFocus(page)).toBe(true)
    await page.context().close()
  })

  it('is stable while a reply is written', async () => {
    const page = await visit(chat)
    const table = '| Lot | Cost |\n| --- | ---: |\n| 3 | 41 000 € |\n| 4 | 12 000 € |\n\n'
    const code = '```python\nprint(41_000 / 0.15)\n```\n\n'
    const prose = 'The price of lot 3 rose because of the labour index. '.repeat(12)
    journey.model.reply([says(...`## Costs\n\n${prose}\n\n${table}${code}${prose}`.split(/(?<= )/))])
    await ask(page, 'What do they cost?')
    expectCalm(await seen(page))
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('is stable when an announcement appears with the page, over it, or disappears', async () => {
    const ada = accountAt(journey.url, token, 'ada')
    const announce = (text_en: string) =>
      ada.call<{ id: string }>('POST', '/admin/announcements', {
        ...{ tone: 'news', text_en, text_fr: null, link: null, starts_at: null },
        audience: { company_ids: [], group_ids: [], roles: [] },
        ends_at: new Date(Date.now() + 3_600_000).toISOString(),
      })
    const first = await announce('Closed on Sunday. Replies wait until Monday and go on by themselves.')
    const page = await visit(chat)
    await page.getByText('Closed on Sunday.').waitFor()
    expectCalm(await seen(page))
    const second = await announce('Two models side by side.')
    await ada.call('POST', `/admin/announcements/${first.id}/end`)
    await page.getByText('Two models side by side.').waitFor()
    await settle(page)
    expectCalm(await seen(page))
    await page.getByRole('button', { name: /^Dismiss: Two models/ }).click()
    await page.getByText('Two models side by side.').waitFor({ state: 'detached' })
    const late = await visit(chat)
    const third = await announce('This comes while a chat is open.')
    await late.getByText('This comes while a chat is open.').waitFor()
    await settle(late)
    expectCalm(await seen(late))
    for (const one of [second, third]) await ada.call('POST', `/admin/announcements/${one.id}/end`)
    await Promise.all([page, late].map((one) => one.context().close()))
  })
})

describe('keyboard focus', () => {
  it('starts in the composer, with the buttons of messages after it', async () => {
    const page = await visit(chat)
    expect(await hasFocus(page)).toBe(true)
    const order = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main textarea, main article button')].map(({ tagName }) => tagName)`,
    )
    expect(order[0]).toBe('TEXTAREA')
    expect(order.length).toBeGreaterThan(1)
    await page.context().close()
  })
})

describe('requests of a page', () => {
  it.each(['chat', '/', '/tools'])('are made once, and everything prefetched is used: %s', async (route) => {
    const page = await visit(route === 'chat' ? chat : route)
    const left = await page.evaluate<string[]>('Object.keys(window.early.answers)')
    expect(left).toEqual([])
    await page.context().close()
  })
})
