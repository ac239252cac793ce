import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeSource, runAxe } from '../support/axe.ts'
import { freePort } from '../support/free-port.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

const open = [
  '/login',
  '/login/signup',
  '/login/forgot-password',
  '/login/reset-password?token=x',
  '/login/check-email',
  '/login/verify-email?token=x',
]
const signedIn = [
  '/',
  '/user/preferences',
  '/user/security',
  '/user/billing',
  '/admin/models',
  '/documents',
  '/assistant',
  '/tools',
  '/tools/calculator',
  '/inbox',
  '/debug',
  '/admin',
]
const looks = (['light', 'dark'] as const).flatMap((theme) =>
  (['en', 'fr'] as const).map((language) => ({ theme, language })),
)

let journey: Journey
let tokens: Record<'en' | 'fr', string>
/** The gallery exists while developing only: the files of the web, in front of the installed server. */
let development: ViteDevServer
let galleryUrl: string
beforeAll(async () => {
  journey = await startJourney()
  journey.model.always([
    says(
      '# Title\n\nSome *text* with `code`, a [link](https://example.com).\n\n```ts\nconst a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    ),
  ])
  // Both are asked for: the language of a profile decides what is on the screen.
  const first = await journey.signUp('ada', 'en')
  tokens = { en: first, fr: await journey.signUp('bette', 'fr') }
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

describe('axe finds nothing serious', () => {
  it.each(looks)('on every route ($theme, $language)', async ({ theme, language }) => {
    const found: string[] = []
    const visit = async (paths: string[], token?: string) => {
      const page = await journey.open(paths[0] ?? '/', { theme, language, token })
      await page.context().addInitScript(axeSource)
      for (const path of paths) {
        await page.goto(path)
        await page.locator('main').first().waitFor()
        // Texts, data and the last chunk of a view arrive after its frame.
        await page.waitForTimeout(600)
        found.push(...(await runAxe(page)).map((violation) => `${path}: ${violation}`))
      }
      if (token) {
        const composer = page.locator('textarea').first()
        await page.goto('/')
        await composer.fill('Show me everything')
        await composer.press('Enter')
        await page.locator('table').last().waitFor()
        found.push(...(await runAxe(page)).map((violation) => `an answer: ${violation}`))
      }
      await page.context().close()
    }
    await visit(open)
    await visit(signedIn, tokens[language])
    expect(found).toEqual([])
  })

  // A development server that meets a package for the first time loads its page anew, in the look it began with.
  it('in the gallery of every block and state', { retry: 2 }, async () => {
    const page = await journey.open('/', { token: tokens.en })
    await page.context().addInitScript(axeSource)
    await page.goto(`${galleryUrl}/gallery`)
    const title = page.getByRole('heading', {
      level: 1,
      name: words('en', 'streaming_blocks', 'gallery.title'),
    })
    await title.waitFor({ timeout: 90_000 })
    const found: string[] = []
    // Light and English, then dark, then French, then light again: the page itself switches.
    for (const next of ['Dark', 'Français', 'Clair', null]) {
      await page.waitForTimeout(600)
      found.push(...(await runAxe(page)).map((violation) => `before ${next}: ${violation}`))
      if (next) await page.getByRole('button', { name: next, exact: true }).click()
    }
    await page.context().close()
    expect(found).toEqual([])
  })
})
