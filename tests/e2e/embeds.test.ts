import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EXTENSION_ORIGINS } from '../../src/shared/chat/embeds/addresses.ts'
import { type Extension, startExtension } from '../support/extension.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, says } from '../support/model-server.ts'

let journey: Journey
let token: string
/** An external site that serves `pages`, and another one. */
let [site, stranger] = ['', '']
const servers: Server[] = []
const pages = new Map<string, string>()

beforeAll(async () => {
  journey = await startJourney()
  token = await journey.signUp('ada')
  ;[site, stranger] = [await serveSite(), await serveSite()] as [string, string]
})
beforeEach(() => journey.fresh())
afterAll(async () => {
  await journey.close()
  for (const server of servers) server.close()
})

/** Uses a different host name, so that browsers separate its storage from the product's. */
async function serveSite(): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pages.get(url) ?? '')
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

async function api(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${journey.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
  return text ? JSON.parse(text) : null
}

async function anAssistant(): Promise<string> {
  const texts = { name: 'Buyer', description: 'Knows our contracts.', example_prompts: ['Who may sign?'] }
  return (
    await api('POST', '/assistants', { ...texts, agent_type: 'single_turn', model_name: 'house/large' })
  ).id
}

describe('assistant embedded in another page', () => {
  it('works with the snippet pasted into a plain page, and is closed elsewhere [SH-02, G-72, PG-07]', async () => {
    const id = await anAssistant()
    const page = await journey.open(`/assistant/${id}/edit/embed`, { token })
    const t = (key: string, values = {}) => words('en', 'embeds', key, values)
    await page.getByRole('button', { name: t('tokens.new') }).click()
    await page.getByLabel(t('form.name'), { exact: true }).fill('Intranet')
    await page.getByLabel(t('form.sites'), { exact: true }).fill(site)
    await page.getByRole('button', { name: t('form.submit') }).click()
    const code = page.locator('pre')
    await code.getByText('emb_').waitFor()
    await shoot(page, 'embed-tab')
    for (const [place, path] of [
      ['bubble', '/bubble'],
      ['frame', '/frame'],
    ] as const) {
      await page.getByRole('button', { name: t(`snippet.places.${place}`) }).click()
      const lines = (await code.textContent()) ?? ''
      expect(lines).toContain('emb_')
      pages.set(path, `<!doctype html><title>Intranet</title><h1>News</h1><p>Words</p>${lines}`)
    }

    const intranet = await journey.open(`${site}/bubble`, { width: 375, height: 700 })
    await intranet.getByRole('button', { name: 'Buyer' }).click()
    const bubble = intranet.frameLocator('iframe')
    await bubble.getByRole('button', { name: 'Who may sign?' }).waitFor()
    await shoot(intranet, 'bubble')
    journey.model.reply([says('The **board** may.')])
    await bubble.getByRole('button', { name: 'Who may sign?' }).click()
    await bubble.getByText('The board may.').waitFor()
    const frame = intranet.frames().at(-1)
    expect(frame?.url()).not.toContain('emb_')
    expect(await frame?.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain('em')
    await bubble.getByRole('button', { name: t('chat.close') }).click()
    await intranet.getByRole('button', { name: 'Buyer' }).waitFor()

    const framed = await journey.open(`${site}/frame`)
    await framed.frameLocator('iframe').getByText('Knows our contracts.').waitFor()

    const elsewhere = await journey.open(`${stranger}/frame`, { language: 'fr' })
    const shut = elsewhere.frameLocator('iframe')
    await shut.getByText(words('fr', 'embeds', 'closed.title')).waitFor()
    await shut.getByText(`origin_not_allowed, ${stranger}`).waitFor()
    await shoot(elsewhere, 'closed')
    // This browser denies storage to frames of other sites, so the journey's first write fails.
    expect(journey.errors.filter((error) => !error.includes("'localStorage'"))).toEqual([])
    // If a page does not identify itself, the browser keeps the assistant out of it.
    pages.set(
      '/silent',
      `<meta name="referrer" content="no-referrer">${(pages.get('/frame') ?? '').replace('referrerpolicy="origin"', '')}`,
    )
    const silent = await journey.open(`${stranger}/silent`)
    await expect.poll(() => journey.errors.join()).toContain('frame-ancestors')
    expect(silent.frames().some((one) => one.url().startsWith(journey.url))).toBe(false)
  })
})

describe('page of an embedded assistant', () => {
  const looks = [
    { lang: 'en', theme: 'light' },
    { lang: 'fr', theme: 'dark' },
  ] as const

  it.each(looks)(
    'works at 320 px in $lang and $theme, with sources, tools and questions [PG-06]',
    async ({ lang, theme }) => {
      const { address } = await anEmbed({ origins: [site] })
      const shown = new URLSearchParams({ lang, theme })
      pages.set(
        '/narrow',
        `<!doctype html><iframe src="${address}&${shown}" referrerpolicy="origin" style="width: 320px; height: 600px; border: 0"></iframe>`,
      )
      const page = await journey.open(`${site}/narrow`)
      const frame = page.frameLocator('iframe')
      const t = (key: string) => words(lang, 'embeds', key)
      await frame.getByText(t('chat.hello')).waitFor()
      journey.model.reply([calls('calculator', { a: 6, b: 7, operation: 'multiply' })], [says(wide)])
      await frame.getByRole('textbox', { name: t('chat.message') }).fill('6 × 7?')
      await page.keyboard.press('Enter')
      await frame.getByText('Forty-two').waitFor()
      await frame.getByRole('button', { name: t('chat.good') }).click()
      await shoot(page, `narrow-${lang}`)
      journey.model.reply(
        [calls('ask_person', { prompt: 'Which site?', input_types: ['text'] })],
        [says('In Metz.')],
      )
      await frame.getByRole('textbox', { name: t('chat.message') }).fill('Where?')
      await page.keyboard.press('Enter')
      const question = frame.locator('.reply form')
      await question.getByRole('textbox').fill('Metz')
      await shoot(page, `asks-${lang}`)
      await question.getByRole('button', { name: words(lang, 'streaming_blocks', 'input.send') }).click()
      await frame.getByText('In Metz.').waitFor()
      const measured = await page
        .frames()
        .at(-1)
        ?.evaluate(`({
      width: document.documentElement.scrollWidth, lang: document.documentElement.lang, theme: document.documentElement.dataset.theme })`)
      expect(measured).toEqual({ width: 320, lang, theme })
    },
  )

  it('signs in a page opened directly, and signs it out when the token is revoked [PG-06, SH-02]', async () => {
    const { address, path } = await anEmbed({ origins: [site] })
    const page = await journey.open(address.replace('/embed?', '/tools?'))
    await page.getByText('Knows our contracts.').waitFor()
    expect(page.url()).toBe(`${journey.url}/embed`)
    expect(await page.evaluate('localStorage.getItem("token") + document.cookie')).toBe('null')
    journey.model.reply([says('Yes.')])
    await page.getByRole('button', { name: 'Who may sign?' }).click()
    await page.getByText('Yes.').waitFor()
    await page.reload()
    await page.getByText('Yes.').waitFor()
    await api('DELETE', path)
    await page.reload()
    await page.getByText(words('en', 'embeds', 'closed.title')).waitFor()
    const signedIn = await journey.open(
      `/tools?authToken=${new URL(address).searchParams.get('authToken')}`,
      { token },
    )
    await expect.poll(() => signedIn.url()).toBe(`${journey.url}/tools`)
  })
})

describe('page that frames the application with its own token', () => {
  const framedThere = (page: import('playwright-core').Page) =>
    page.frames().filter((one) => one.url().startsWith(journey.url))

  it.each(['/admin', '/user/security', '/connect', '/embed/', '/%65mbed', '/embed/../admin'])(
    'cannot read anything from %s, even if a user is signed in',
    async (path) => {
      const { address } = await anEmbed({ origins: [site] })
      const source = `${journey.url}${path}${new URL(address).search}`
      pages.set('/attack', `<!doctype html><iframe src="${source}" referrerpolicy="origin"></iframe>`)
      // A user is signed in in this browser.
      const page = await journey.open('/chat', { token })
      await page.goto(`${site}/attack`)
      await expect.poll(() => journey.errors.join()).toContain('frame-ancestors')
      expect(framedThere(page)).toEqual([])
    },
  )

  it('is not redirected when the framed page navigates', async () => {
    const { address } = await anEmbed({ origins: [site] })
    pages.set('/escape', `<!doctype html><iframe src="${address}" referrerpolicy="origin"></iframe>`)
    const page = await journey.open(`${site}/escape`)
    await page.frameLocator('iframe').getByText('Knows our contracts.').waitFor()
    await framedThere(page)[0]?.evaluate(
      `history.pushState({}, '', '/admin'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await expect.poll(() => framedThere(page).length).toBe(0)
  })
})

describe('browser extension', () => {
  let extension: Extension
  beforeAll(async () => {
    extension = await startExtension(journey.url)
  })
  afterAll(() => extension.close())

  it('opens the assistant in the panel, reads a page on request, and stores no token of a person [SH-02, PG-08]', async () => {
    const { context, worker, panel, manifest } = extension
    expect(panel).toBe(`${EXTENSION_ORIGINS[0]}/panel.html`)
    expect(manifest).toMatchObject({
      ...{ manifest_version: 3, side_panel: { default_path: 'panel.html' } },
      sidebar_action: { default_panel: 'panel.html' },
    })
    // It may read a page only while a user asks for it.
    expect(JSON.stringify(manifest)).not.toMatch(/host_permissions|content_scripts|<all_urls>/)
    const { address } = await anEmbed({ in_extension: true })
    const page = await context.newPage()
    await page.goto(panel)
    expect(await page.evaluate('getComputedStyle(document.body).fontSize')).toBe('14px')
    for (const wrong of [`${journey.url}/embed?authToken=${token}`, `${journey.url}/chat?token=${token}`]) {
      await page.getByLabel('Address').fill(wrong)
      await page.getByRole('button', { name: 'Connect' }).click()
      await page.getByRole('alert').waitFor()
    }
    expect(await worker.evaluate('chrome.storage.local.get()')).toEqual({})
    await page.getByLabel('Address').fill(address)
    await page.getByRole('button', { name: 'Connect' }).click()
    const chat = page.frameLocator('iframe')
    await chat.getByText('Knows our contracts.').waitFor()
    expect(await worker.evaluate('chrome.storage.local.get()')).toEqual({ address })
    expect(await chat.getByRole('switch').count()).toBe(0)

    const marked = { menuItemId: 'ask-selection', selectionText: 'The price is 12.40 € per m².' }
    const tab = { windowId: 1, title: 'Award of lot 2', url: 'https://markets.example/118204' }
    await worker.evaluate(
      `chrome.contextMenus.onClicked.dispatch(${JSON.stringify(marked)}, ${JSON.stringify(tab)})`,
    )
    await chat.getByRole('switch', { name: words('en', 'embeds', 'page.read_selection') }).waitFor()
    await shoot(page, 'extension')
    journey.model.reply([says('Cheaper.')])
    await chat.getByRole('textbox', { name: 'Message' }).fill('How does it compare?')
    await page.keyboard.press('Enter')
    await chat.getByText('Cheaper.').waitFor()
    await chat.getByText('With a selection of “Award of lot 2”').waitFor()
    const told = JSON.stringify(journey.model.requests.at(-1)?.messages)
    expect(told).toContain('The price is 12.40 € per m².')
    expect(told).toContain('https://markets.example/118204')
    // The page was sent with one question only; the next is sent without it.
    await chat.getByRole('button', { name: words('en', 'embeds', 'chat.send') }).waitFor()
    journey.model.reply([says('Fine.')])
    await chat.getByRole('textbox', { name: 'Message' }).fill('And now?')
    await page.keyboard.press('Enter')
    await chat.getByText('Fine.').waitFor()
    expect(JSON.stringify(journey.model.requests.at(-1)?.messages.at(-1))).not.toContain('12.40')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByLabel('Address').waitFor()
    expect(await worker.evaluate('chrome.storage.local.get()')).toEqual({})
  })

  it('rejects a token made for another purpose [PG-08]', async () => {
    const { address } = await anEmbed({ origins: [site] })
    const page = await extension.context.newPage()
    await page.goto(extension.panel)
    await page.getByLabel('Address').fill(address)
    await page.getByRole('button', { name: 'Connect' }).click()
    await expect.poll(() => page.frames().length).toBe(2)
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
  })
})

const wide = `**Forty-two**, of \`${'x'.repeat(80)}\`.

| one | two | three | four |
|---|---|---|---|
| ${'word '.repeat(6)} | ${'word '.repeat(6)} | ${'word '.repeat(6)} | 4 |`

async function anEmbed(wish: object) {
  const id = await anAssistant()
  await api('PUT', `/assistants/${id}`, { agent_type: 'multi_turn' })
  const { embed, token } = await api('POST', `/assistants/${id}/embeds`, { name: 'Test', days: 1, ...wish })
  const address = `${journey.url}/embed?authToken=${token}`
  return { address, path: `/assistants/${id}/embeds/${embed.id}` }
}

/** Takes a screenshot for review. */
async function shoot(page: import('playwright-core').Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
