import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { openContext } from '../support/browser.ts'
import { type ChangingFront, startChangingFront } from '../support/changing-front.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }
const MAX_START_MS = 1_000

let journey: Journey
let front: ChangingFront
beforeAll(async () => {
  journey = await startJourney()
  front = await startChangingFront(() => journey.url)
}, 300_000)
afterAll(async () => {
  await front.close()
  await journey.close()
})
beforeEach(async () => {
  await journey.fresh()
  front.holdFiles(false)
})

const say = (key: string) => words('en', 'common', key)
const field = (page: Page, language: 'en' | 'fr' = 'en') =>
  page.getByRole('textbox', { name: words(language, 'streaming_blocks', 'composer.label') })

/** Opens the product in a fresh profile that keeps a service worker, and waits until it controls the page. */
async function install(token: string, path = '/chat'): Promise<{ page: Page; context: BrowserContext }> {
  const context = await openContext(journey.browser, { url: front.url, token, withWorker: true })
  const page = await context.newPage()
  page.on('pageerror', (error) => journey.errors.push(error.message))
  await page.goto(path)
  await field(page).waitFor(WAIT)
  await until(page, 'navigator.serviceWorker.controller !== null')
  await page.reload()
  await field(page).waitFor(WAIT)
  await until(page, `caches.match('/', { cacheName: 'atrium-shell' })`)
  // Loaded after the first screen; it detects new versions.
  await until(
    page,
    `performance.getEntriesByType('resource').some(({ name }) => name.includes('/installed-app-'))`,
  )
  return { page, context }
}

/** Waits until code of the page is true. */
const until = (page: Page, code: string) =>
  // Between two pages there is nothing to ask.
  expect
    .poll(() => page.evaluate<boolean>(`(async () => Boolean(await (${code})))()`).catch(() => false), WAIT)
    .toBe(true)

/** Returns the shortest of several starts until a message can be written, in milliseconds. */
async function fastestStart(context: BrowserContext): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const page = await context.newPage()
    const start = performance.now()
    await page.goto('/chat', { waitUntil: 'commit' })
    await field(page).waitFor(WAIT)
    times.push(performance.now() - start)
    await page.close()
  }
  return Math.round(Math.min(...times))
}

const keptAddresses = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('atrium-answers-'))
    const lists = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))
    return lists.flat().map((url) => url.replace(location.origin, ''))
  })()`)

/** Looks for a word in all kept answers. */
const keptTextHas = (word: string) => `(async () => {
  for (const name of await caches.keys()) {
    if (!name.startsWith('atrium-answers-')) continue
    const cache = await caches.open(name)
    for (const key of await cache.keys())
      if ((await (await cache.match(key)).text()).includes(${JSON.stringify(word)})) return true
  }
  return false
})()`

/** Asks in the open chat and waits for the reply. */
async function ask(page: Page, text: string, reply: string) {
  journey.model.reply([says(reply)])
  await field(page).fill(text)
  await page.keyboard.press('Enter')
  await page.getByText(reply).last().waitFor(WAIT)
}

async function shoot(page: Page, name: string) {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/installed-${name}.png` })
}

type Manifest = {
  icons: { src: string; sizes: string; purpose: string }[]
  shortcuts: { name: string; url: string }[]
  share_target: object
}

describe('installed product', () => {
  it('describes its icons, shortcuts and share target', async () => {
    const answer = await fetch(`${journey.url}/manifest.webmanifest`)
    const manifest = (await answer.json()) as Manifest
    expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable')
    for (const { src, sizes } of manifest.icons) {
      const icon = await fetch(journey.url + src)
      expect([icon.status, icon.headers.get('content-type'), sizes]).toEqual([200, 'image/png', sizes])
    }
    expect(manifest.shortcuts.map(({ url }) => url)).toEqual(['/chat', '/inbox?palette=open', '/inbox'])
    expect(manifest.share_target).toMatchObject({ action: '/share', method: 'POST' })
  })

  it.each(['en', 'fr'] as const)('names its shortcuts in the language of the page (%s)', async (lang) => {
    const token = await journey.signUp('mona')
    const context = await openContext(journey.browser, { url: front.url, token })
    const page = await context.newPage()
    await page.goto(`/chat?lang=${lang}`)
    const link = page.locator('link[rel="manifest"]')
    await field(page, lang).waitFor(WAIT)
    const path = await link.getAttribute('href')
    const manifest = (await (await fetch(journey.url + path)).json()) as Manifest
    expect(manifest).toMatchObject({ id: '/', lang })
    const names = ['nav.new_chat', 'nav.search', 'nav.inbox'].map((key) => words(lang, 'common', key))
    expect(manifest.shortcuts.map(({ name }) => name)).toEqual(names)
    await context.close()
  })

  it('starts from its cache in under one second while the server sends no files', async () => {
    const token = await journey.signUp('ines')
    const { page, context } = await install(token)
    const usual = await fastestStart(context)
    front.holdFiles(true)
    const cached = await fastestStart(context)
    if (process.env.SHOW_TIMES)
      process.stderr.write(`start from the cache: ${cached} ms, usual: ${usual} ms\n`)
    // A busy machine needs longer with the server, too.
    expect(cached).toBeLessThan(Math.max(MAX_START_MS, usual * 1.5))
    front.holdFiles(false)
    await page.goto('/inbox?palette=open')
    await page.getByRole('dialog').waitFor(WAIT)
    expect(new URL(page.url()).search).toBe('')
    expect(journey.errors).toEqual([])
    await context.close()
  })

  it('reads seen chats without a connection, and sends what was written when it is back [PW-02]', async () => {
    const token = await journey.signUp('olga')
    const { page, context } = await install(token)
    await ask(page, 'When does the lease end?', 'It ends in May.')
    const chat = new URL(page.url()).pathname
    await until(page, keptTextHas('It ends in May.'))
    await context.setOffline(true)
    await page.goto(chat)
    await page.getByRole('log').getByText('It ends in May.').waitFor(WAIT)
    await page.getByText(say('offline.title')).waitFor(WAIT)
    await page.getByText(say('offline.text')).waitFor(WAIT)
    await shoot(page, 'offline')
    journey.model.reply([says('There is an option of two years.')])
    await field(page).fill('Can it be extended?')
    await page.keyboard.press('Enter')
    await page.getByText(words('en', 'streaming_blocks', 'outbox.connection')).waitFor(WAIT)
    await context.setOffline(false)
    await page.getByRole('log').getByText('There is an option of two years.').waitFor(WAIT)
    expect(journey.errors).toEqual([])
    await context.close()
  })

  it('keeps nothing of a temporary chat or a deleted one', async () => {
    const token = await journey.signUp('tess')
    const account = accountAt(journey.url, token, 'tess')
    const { page, context } = await install(token)
    await ask(page, 'Remember this', 'Noted for now.')
    const id = new URL(page.url()).pathname.split('/')[2] ?? ''
    const branches = async () =>
      (await keptAddresses(page)).filter((path) => path.includes('active-branch') || path.includes(id))
    await expect.poll(async () => (await branches()).length, WAIT).toBeGreaterThan(0)
    await account.call('DELETE', `/sessions/${id}`)
    await expect.poll(branches, WAIT).toEqual([])
    await page.goto('/chat')
    await page.waitForURL(/\/chat\/.+/)
    const before = new URL(page.url()).pathname
    await page.getByRole('switch', { name: words('en', 'streaming_blocks', 'temporary.switch') }).click()
    await page.waitForURL((url) => /^\/chat\/.+/.test(url.pathname) && url.pathname !== before)
    await ask(page, 'Salary of Kessler?', 'It is not known.')
    const temporary = new URL(page.url()).pathname.split('/')[2] ?? ''
    // Longer than the worker waits to learn whether a chat stays.
    await page.waitForTimeout(5_000)
    expect((await keptAddresses(page)).filter((path) => path.includes(temporary))).toEqual([])
    expect(await page.evaluate<boolean>(keptTextHas('Kessler'))).toBe(false)
    expect(await page.evaluate<boolean>(keptTextHas('tess'))).toBe(true)
    await context.close()
  })

  it('deletes the answers at sign-out, and shows nothing of them to the next person', async () => {
    const [first, second] = [await journey.signUp('anna'), await journey.signUp('bert')]
    const { page, context } = await install(first)
    await ask(page, 'Secret of Anna', 'Kept for Anna.')
    await expect.poll(async () => (await keptAddresses(page)).length, WAIT).toBeGreaterThan(2)
    const chat = new URL(page.url()).pathname
    await page.getByRole('button', { name: say('profile.menu') }).click()
    await page.getByRole('menuitem', { name: say('profile.sign_out') }).click()
    await page.waitForURL('**/login', WAIT)
    await page.waitForTimeout(1_000)
    expect(await keptAddresses(page)).toEqual([])
    await page.evaluate(`localStorage.setItem('token', ${JSON.stringify(second)})`)
    await context.setOffline(true)
    await page.goto(chat)
    await page.waitForTimeout(2_000)
    expect(await page.locator('body').innerText()).not.toMatch(/Anna/)
    await context.close()
  })

  it('makes a new chat of what another app shares', async () => {
    const token = await journey.signUp('shay')
    const { page, context } = await install(token)
    await page.evaluate(`(() => {
      const form = Object.assign(document.createElement('form'), { action: '/share', method: 'POST', enctype: 'multipart/form-data' })
      const add = (name, value) => form.append(Object.assign(document.createElement('input'), { name, value }))
      add('title', 'Offer of Martin'); add('text', 'See the prices.'); add('url', 'https://example.com/offer')
      const files = new DataTransfer()
      files.items.add(new File(['Lot 3: 12 000'], 'offer été.txt', { type: 'text/plain' }))
      const picker = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true })
      picker.files = files.files
      form.append(picker)
      document.body.append(form)
      form.submit()
    })()`)
    await page.waitForURL(/\/chat\/.+/, WAIT)
    await expect
      .poll(() => field(page).inputValue(), WAIT)
      .toBe('Offer of Martin\nSee the prices.\nhttps://example.com/offer')
    await page.getByText('offer été.txt').first().waitFor(WAIT)
    await page.goto('/received')
    await field(page).waitFor(WAIT)
    expect(await page.evaluate<boolean>(`caches.has('atrium-received')`)).toBe(false)
    expect(journey.errors).toEqual([])
    await context.close()
  })
})

describe('new version of the server', () => {
  it('waits for unsent text, offers to reload, and then reloads by itself [PW-04]', async () => {
    const token = await journey.signUp('vera')
    const { page, context } = await install(token)
    await field(page).pressSequentially('Half a sentence')
    await page.evaluate('window.isOld = true')
    front.release('B')
    await context.setOffline(true)
    await page.getByText(say('offline.title')).waitFor(WAIT)
    await context.setOffline(false)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByText(say('version.new')).waitFor(WAIT)
    await shoot(page, 'new-version')
    await page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })`,
    )
    await page.waitForTimeout(5_000)
    expect(await page.evaluate<boolean>('window.isOld === true')).toBe(true)
    await page.getByRole('button', { name: say('version.reload') }).click()
    await until(page, 'window.isOld === undefined')
    await expect.poll(() => field(page).inputValue(), WAIT).toBe('Half a sentence')
    // Without unsent text it reloads by itself.
    await field(page).fill('')
    await page.evaluate('window.isOld = true')
    front.release('C')
    await page.waitForTimeout(11_000)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByText(say('version.new')).waitFor(WAIT)
    await page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })`,
    )
    await until(page, 'window.isOld === undefined')
    expect(journey.errors).toEqual([])
    await context.close()
  })

  it('reloads a page once whose files are gone', async () => {
    const token = await journey.signUp('omar')
    front.release('D')
    const context = await openContext(journey.browser, { url: front.url, token })
    const page = await context.newPage()
    await page.goto('/chat')
    await field(page).waitFor(WAIT)
    const drafted = 'Kept through the reload'
    await field(page).fill(drafted)
    await page.evaluate('window.isOld = true')
    front.release('E', /trash-view-.*\.js$/)
    const opened = page.evaluate(
      `history.pushState(null, '', '/trash'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await opened
    await until(page, 'window.isOld === undefined')
    front.release('E')
    await page.goto('/chat')
    await expect.poll(() => field(page).inputValue(), WAIT).toBe(drafted)
    await context.close()
  })
})

/** Draws a page at an angle on a dark table: its left upper quarter is black. Returns the photo as base64 JPEG. */
const drawPhoto = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 900 })
  const context = canvas.getContext('2d')
  context.fillStyle = '#3b2f25'
  context.fillRect(0, 0, 1200, 900)
  context.translate(600, 450)
  context.rotate(0.2)
  context.fillStyle = '#f4f2ec'
  context.fillRect(-400, -280, 800, 560)
  context.fillStyle = '#111111'
  context.fillRect(-360, -240, 320, 200)
  return canvas.toDataURL('image/jpeg', 0.95).split(',')[1]
})()`

/** Mean grey of a region of the straightened page, given as shares of it. */
const greyIn = (place: string) => `(async () => {
  const bitmap = await createImageBitmap(window.page)
  const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height })
  const context = canvas.getContext('2d')
  context.drawImage(bitmap, 0, 0)
  const [x, y] = [${place}]
  const { data } = context.getImageData(Math.round(bitmap.width * x), Math.round(bitmap.height * y), 9, 9)
  return data.reduce((sum, value, at) => (at % 4 === 0 ? sum + value : sum), 0) / 81
})()`

describe('photo of a page', () => {
  it('is taken, straightened by its corners, and attached [PW-03]', async () => {
    const token = await journey.signUp('foto')
    const context = await journey.browser.newContext({
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, baseURL: journey.url },
      ...{ reducedMotion: 'reduce', serviceWorkers: 'block', locale: 'en-GB' },
    })
    context.setDefaultTimeout(WAIT.timeout)
    await context.addInitScript((key) => localStorage.setItem('token', key), token)
    const page = await context.newPage()
    page.on('pageerror', (error) => journey.errors.push(error.message))
    await page.goto('/chat')
    await field(page).waitFor(WAIT)
    const photo = Buffer.from(await page.evaluate<string>(drawPhoto), 'base64')
    // The file that is sent, so that its pixels can be looked at.
    await page.evaluate(`(() => {
      const append = FormData.prototype.append
      FormData.prototype.append = function (name, value, ...more) {
        if (value instanceof Blob && value.type === 'image/jpeg') window.page = value
        return append.call(this, name, value, ...more)
      }
    })()`)
    await page.getByRole('button', { name: words('en', 'documents', 'chat.attach') }).click()
    const button = page.getByRole('menuitem', { name: words('en', 'documents', 'chat.photo') })
    const choosing = page.waitForEvent('filechooser')
    await button.click()
    const chooser = await choosing
    expect(await chooser.element().getAttribute('capture')).toBe('environment')
    await chooser.setFiles({ name: 'table.jpg', mimeType: 'image/jpeg', buffer: photo })
    const say = (key: string) => words('en', 'photos', key)
    const handle = page.getByRole('button', { name: say('corner.top_left') })
    await handle.waitFor(WAIT)
    await shoot(page, 'photo-390')
    const placeOf = async () => {
      const box = await handle.boundingBox()
      return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
    }
    const guessed = await placeOf()
    await handle.focus()
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(async () => (await placeOf()).x).toBeGreaterThan(guessed.x + 3)
    const moved = await placeOf()
    await page.mouse.move(moved.x, moved.y)
    await page.mouse.down()
    await page.mouse.move(guessed.x, guessed.y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => Math.abs((await placeOf()).x - guessed.x)).toBeLessThan(1.5)
    await page.getByRole('button', { name: say('straighten') }).click()
    await page.getByText('table.jpg').first().waitFor(WAIT)
    await until(page, 'window.page !== undefined')
    // The dark quarter is in its place, and the table is gone from the edges.
    const dark = [
      await page.evaluate<number>(greyIn('0.1, 0.12')),
      await page.evaluate<number>(greyIn('0.4, 0.38')),
    ]
    const light = [
      await page.evaluate<number>(greyIn('0.02, 0.5')),
      await page.evaluate<number>(greyIn('0.5, 0.97')),
      await page.evaluate<number>(greyIn('0.97, 0.03')),
      await page.evaluate<number>(greyIn('0.5, 0.2')),
    ]
    expect(Math.max(...dark)).toBeLessThan(60)
    expect(Math.min(...light)).toBeGreaterThan(200)
    await shoot(page, 'photo-attached-390')
    expect(journey.errors).toEqual([])
    await context.close()
  })
})
