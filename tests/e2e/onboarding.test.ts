import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())
afterEach(() => expect(journey.errors).toEqual([]))

type Language = 'en' | 'fr'

/** Signs up a person who has seen no introduction. */
async function newcomer(language: Language) {
  const token = await journey.signUp('newcomer', language)
  const account = accountAt(journey.url, token)
  await account.call('PUT', '/users/me/preferences', { preferences: { onboarding: {} } })
  return { token, account }
}

/** Starts a tour from the menu of a page. Returns a function that presses a step's button and waits for the next step. */
async function begin(page: Page, language: Language, tour: string) {
  const say = (key: string, values = {}) => words(language, 'onboarding', key, values)
  const name = say(`tours.${tour}.name`)
  await page.getByRole('button', { name: say('help.open') }).click()
  await page
    .getByRole('menuitem')
    .filter({ has: page.getByText(name, { exact: true }) })
    .click()
  const stop = (n: number, count: number) =>
    page
      .getByRole('dialog', { name: say('tour.label', { name, n: String(n), count: String(count) }) })
      .waitFor()
  const next = (key = 'next') =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: say(`tour.${key}`), exact: true })
      .click()
  return { say, stop, next }
}

describe.each(['en', 'fr'] as const)('new user (%s)', (language) => {
  it('closes the welcome with Escape, and it fades out [ON-03]', async () => {
    const { token } = await newcomer(language)
    const page = await journey.open('/user', { language, token })
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const dialog = page.getByRole('dialog', { name: words(language, 'onboarding', 'carousel.label') })
    await dialog.waitFor()
    await page.evaluate(`new Promise(resolve => {
      const look = () =>
        getComputedStyle(document.querySelector('.welcome')).opacity === '1' ? resolve() : requestAnimationFrame(look)
      look()
    })`)
    const faded = page.evaluate<number>(`new Promise(resolve => {
      const dialog = document.querySelector('.welcome')
      dialog.addEventListener('transitionend', ({ target, propertyName, elapsedTime }) => {
        if (target === dialog && propertyName === 'opacity') resolve(elapsedTime)
      })
    })`)
    await page.keyboard.press('Escape')
    expect(await faded).toBeGreaterThan(0)
    await dialog.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: words(language, 'onboarding', 'help.open') }).waitFor()
    expect(await dialog.count()).toBe(0)
  })

  it('has a first conversation that really sends its messages and picture [ON-14, ON-17]', async () => {
    const token = await journey.signUp('walker', language)
    const account = accountAt(journey.url, token)
    const page = await journey.open('/', { language, token })
    const { say, stop, next } = await begin(page, language, 'firstConversation')
    await stop(1, 6)
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    const sessionId = page.url().split('/').at(-1) ?? ''
    for (const n of [2, 3]) {
      await next()
      await stop(n, 6)
    }
    await page.getByText(say('tours.firstConversation.chart_file')).first().waitFor()
    for (const n of [4, 5, 6]) {
      await next()
      await stop(n, 6)
    }
    await next('finish')
    await page.getByText(say('tours.firstConversation.web_message')).first().waitFor()
    const sent = ['message', 'picture_message', 'web_message'].map((key) =>
      say(`tours.firstConversation.${key}`),
    )
    await expect
      .poll(async () => (await messagesOf(account, sessionId)).filter((text) => sent.includes(text)), {
        timeout: 30_000,
      })
      .toEqual(sent)
    const { items } = await account.call<{ items: { name: string }[] }>(
      'GET',
      `/documents?session_id=${sessionId}`,
    )
    expect(items.map(({ name }) => name)).toEqual([say('tours.firstConversation.chart_file')])
    await expect
      .poll(() => onboardingOf(account), { timeout: 20_000 })
      .toMatchObject({ firstConversation: { completed: true } })
  })

  it('generates a draft, opens its sections and advanced settings, and sees a document in both views [ON-14]', async () => {
    const token = await journey.signUp('maker', language)
    const account = accountAt(journey.url, token)
    const page = await journey.open('/tools', { language, token })
    const { say, stop, next } = await begin(page, language, 'assistants')
    const section = (name: string) =>
      page.getByRole('tab', { name: words(language, 'assistant', `section.${name}`), selected: true })
    await stop(1, 6)
    await next()
    await stop(2, 6)
    await section('prompts').waitFor()
    await next()
    await stop(3, 6)
    expect(await page.locator('[data-tour="advanced"] input').isChecked()).toBe(true)
    await next()
    await stop(4, 6)
    await section('files').waitFor()
    await next()
    await stop(5, 6)
    await section('tools').waitFor()
    await next()
    await stop(6, 6)
    await section('prompts').waitFor()
    await next('finish')
    const assistants = await account.call<{ name: string; status: string }[]>('GET', '/assistants')
    expect(assistants).toContainEqual(
      expect.objectContaining({ name: say('tours.assistants.draft_name'), status: 'draft' }),
    )

    const id = await uploadPage(token)
    await page.goto(`/documents/preview/${id}`)
    const mode = (name: string) =>
      page.getByRole('button', { name: words(language, 'documents', `preview.mode.${name}`), pressed: true })
    await page.locator('[data-tour="mode-digitized"]').waitFor({ timeout: 60_000 })
    const preview = await begin(page, language, 'filePreview')
    await preview.stop(1, 4)
    await preview.next()
    await preview.stop(2, 4)
    await mode('original').waitFor()
    await preview.next()
    await preview.stop(3, 4)
    await mode('digitized').waitFor()
  })
})

async function onboardingOf(account: ReturnType<typeof accountAt>): Promise<object> {
  const me = await account.call<{ preferences: { onboarding: object } }>('GET', '/users/me')
  return me.preferences.onboarding
}

async function messagesOf(account: ReturnType<typeof accountAt>, sessionId: string): Promise<string[]> {
  const { active_branch } = await account.call<{ active_branch: { content: string }[] }>(
    'GET',
    `/sessions/${sessionId}/active-branch`,
  )
  return active_branch.map(({ content }) => content)
}

async function uploadPage(token: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob(['<h1>Heating</h1><p>The boiler is serviced every year.</p>']), 'Heating.html')
  const headers = { authorization: `Bearer ${token}` }
  const url = `${journey.url}/api/v1/documents/upload`
  const { id } = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as { id: string }
  return id
}
