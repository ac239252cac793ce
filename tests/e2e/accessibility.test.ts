import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { signedInRoutes } from '../support/all-routes.ts'
import { untilAtRest } from '../support/at-rest.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { freePort } from '../support/free-port.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'
import { buildPdf, write } from '../support/pdf.ts'

const open = [
  '/login',
  '/login/signup',
  '/login/forgot-password',
  '/login/reset-password?token=x',
  '/login/check-email',
  '/login/verify-email?token=x',
  '/login/unsubscribe?token=x',
]
/** One language per width: axe results depend on width and theme, texts on the language. */
const walks = [
  ['en', 1280],
  ['fr', 375],
] as const
/** All text keys, such as `size.GB`. */
const textNames = new Set(
  readdirSync('locales/en').flatMap((file) =>
    namesOf(JSON.parse(readFileSync(`locales/en/${file}`, 'utf8'))).filter((name) => name.includes('.')),
  ),
)

function namesOf(texts: Record<string, unknown>, above = ''): string[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [above + name] : namesOf(text as typeof texts, `${above}${name}.`),
  )
}

const themes = ['light', 'dark'] as const

let journey: Journey
let token: string
/** Preview addresses of documents of several kinds. */
let documents: string[]
/** Development server for the gallery, which production does not have, in front of the installed server. */
let development: ViteDevServer
let galleryUrl: string
beforeAll(async () => {
  journey = await startJourney()
  journey.model.always([
    says(
      '# Title\n\nSome *text* with `code`, a [link](https://example.com).\n\n```ts\nconst a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    ),
  ])
  token = await journey.signUp('ada')
  documents = await Promise.all(Object.entries(files).map(upload))
  development = await createServer({
    logLevel: 'error',
    server: { host: '127.0.0.1', port: await freePort(), proxy: { '/api': journey.url } },
  })
  await development.listen()
  galleryUrl = development.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
})
afterAll(async () => {
  await development?.close()
  await journey.close()
})

const files = {
  'rules.md': '# Rules\n\nThe harbour is closed on Sundays.\n\n- One\n- Two\n',
  'rents.csv': 'Lot,Rent\n1,400\n2,500\n',
  'page.html': '<h1>Rules</h1><p>The harbour is closed.</p>',
  'plan.pdf': buildPdf([{ content: [write(72, 700, 'The plan of the harbour.')] }]),
  'broken.docx': 'no document at all',
}

/** Uploads a document. Returns the address of its preview once processing has ended. */
async function upload([name, content]: [string, string | Uint8Array]): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${journey.url}/api/v1/documents/upload`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { id } = (await answer.json()) as { id: string }
  const account = accountAt(journey.url, token)
  const status = async () => (await account.call<{ status: string }>('GET', `/documents/${id}`)).status
  while (!/completed|failed/.test(await status())) await sleep(100)
  return `/documents/${id}`
}

/** Sets the language of the profile. */
const speak = (language: 'en' | 'fr') =>
  accountAt(journey.url, token).call('PUT', '/users/me/preferences', { language })

/** Navigates like a link, without reloading the page. */
async function go(page: Page, path: string): Promise<void> {
  const to = JSON.stringify(path)
  await page.evaluate(`history.pushState(null, '', ${to}); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.locator('main').first().waitFor()
  await untilAtRest(page)
  // On a slow machine a placeholder may have replaced the previous view meanwhile.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  // These two open a chat.
  const isForwarded = path === '/' || path === '/received'
  expect(new URL(page.url()).pathname).toMatch(
    isForwarded ? /^\/(received|chat\/.+)?$/ : (path.split('?')[0] ?? path),
  )
}

/** Switches the theme as another tab would. */
async function wear(page: Page, theme: (typeof themes)[number]): Promise<void> {
  const change = `localStorage.setItem('darkMode', '${theme === 'dark'}')
    dispatchEvent(new StorageEvent('storage', { key: 'darkMode' }))`
  await page.evaluate(change)
  await page.locator(`html[data-theme=${theme}]`).waitFor()
  await untilAtRest(page)
}

/** Returns text keys shown on a page instead of their texts. */
async function namesIn(page: Page): Promise<string[]> {
  const shown = await page.evaluate<string>('document.body.innerText')
  return shown.split(/[\s(),:;“”«»]+/).filter((word) => textNames.has(word.replace(/\.$/, '')))
}

/** Visits every route in both themes. Returns the findings of axe and missing texts. */
async function walk(language: 'en' | 'fr', width: number): Promise<string[]> {
  const found: string[] = []
  let worn: readonly (typeof themes)[number][] = themes
  /** Checks the current theme, then the other one, which remains for the next view. */
  const look = async (page: Page, what: string) => {
    for (const [index, theme] of worn.entries()) {
      if (index > 0) await wear(page, theme)
      found.push(...(await namesIn(page)).map((name) => `${what}, ${width} px: the text ${name} is missing`))
      found.push(...(await runAxe(page)).map((violation) => `${what}, ${width} px, ${theme}: ${violation}`))
    }
    worn = worn.toReversed()
  }
  const visit = async (paths: string[], as?: string) => {
    const page = await journey.open(paths[0] ?? '/', { language, width, token: as })
    await page.evaluate(axeSource)
    worn = themes
    for (const path of paths) {
      await go(page, path)
      await look(page, path)
    }
    return page
  }
  await (await visit(open)).context().close()
  const page = await visit([...signedInRoutes, ...documents], token)
  await go(page, '/')
  const composer = page.locator('textarea').first()
  await composer.fill('Show me everything')
  await composer.press('Enter')
  await page.locator('table').last().waitFor()
  await look(page, 'an answer')
  await page.context().close()
  return found
}

describe('axe', () => {
  it.each(walks)(
    'finds nothing on every route, in both themes, on wide and narrow screens (%s, %i px)',
    { timeout: 240_000 },
    async (language, width) => {
      await speak(language)
      expect(await walk(language, width)).toEqual([])
    },
  )

  it('finds nothing in the gallery of every block and state, on wide and narrow screens', async () => {
    await speak('en')
    const page = await journey.open('/', { token })
    await page.context().addInitScript(axeSource)
    // The load event waits for hundreds of files, so the test waits for the title instead.
    await page.goto(`${galleryUrl}/gallery`, { waitUntil: 'commit' })
    const title = page.getByRole('heading', {
      level: 1,
      name: words('en', 'streaming_blocks', 'gallery.title'),
    })
    await title.waitFor({ timeout: 90_000 })
    const found: string[] = []
    // The page switches from light and English to dark, to French, and back to light.
    for (const next of ['Dark', 'Français', 'Clair', null]) {
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 800 })
        // Much of the gallery is animated.
        await page.waitForTimeout(600)
        found.push(...(await runAxe(page)).map((violation) => `before ${next}, ${width} px: ${violation}`))
      }
      if (next) await page.getByRole('button', { name: next, exact: true }).click()
    }
    await page.context().close()
    expect(found).toEqual([])
  })
})
