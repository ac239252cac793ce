import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Locator } from 'playwright-core'
import { watchRequests } from './at-rest.ts'

const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** The system's Chromium, headless. @throws when there is none; `scripts/system-packages.sh` installs it. */
export async function openBrowser(extraFlags: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...flags, ...extraFlags] })
}

/**
 * The engine of Chromium without what draws windows, which takes a third less of the processor; Chromium itself where
 * Debian's `chromium-headless-shell` is not installed, or `CHROMIUM_PATH` names another.
 */
export async function openShell(extraFlags: string[] = []): Promise<Browser> {
  const shell = '/usr/bin/chromium-headless-shell'
  const executablePath = !process.env.CHROMIUM_PATH && existsSync(shell) ? shell : findChromium()
  return chromium.launch({ executablePath, args: [...flags, ...extraFlags] })
}

/** Chromium with a profile of its own, as extensions need one, in the headless mode that has them. */
export async function openProfile(extraFlags: string[]): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext('', {
    ...{ executablePath: findChromium(), headless: false, locale: 'en-GB', reducedMotion: 'reduce' },
    args: [...flags, '--headless=new', ...extraFlags],
    ignoreDefaultArgs: ['--disable-extensions'],
  })
  context.setDefaultTimeout(60_000)
  return context
}

function findChromium(): string {
  const found = candidates.find((path) => path && existsSync(path))
  if (!found) throw new Error('No Chromium found: run scripts/system-packages.sh or set CHROMIUM_PATH.')
  return found
}

/** A fresh profile; `signedIn` puts an access token where the client keeps it. */
export async function openContext(
  browser: Browser,
  {
    url,
    token,
    theme = 'light',
    language = 'en',
    width = 1280,
    height = 800,
  }: {
    url: string
    token?: string
    theme?: 'light' | 'dark'
    language?: 'en' | 'fr'
    width?: number
    height?: number
  },
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    baseURL: url,
    colorScheme: theme,
    locale: language === 'fr' ? 'fr-FR' : 'en-GB',
    reducedMotion: 'reduce',
  })
  // A machine that does much else takes its time.
  context.setDefaultTimeout(60_000)
  watchRequests(context)
  await context.addInitScript(
    ([key, dark, lng]) => {
      // A frame that may do nothing has no storage either.
      if ((globalThis as { origin?: string }).origin === 'null') return
      if (key && !localStorage.getItem('token')) localStorage.setItem('token', key)
      localStorage.setItem('darkMode', dark ?? 'false')
      if (!localStorage.getItem('i18nextLng')) localStorage.setItem('i18nextLng', lng ?? 'en')
    },
    [token, String(theme === 'dark'), language],
  )
  return context
}

/**
 * Clicks words that a button lies over, which Playwright refuses to click unless forced; forced, it does not wait until
 * the view has stopped moving, so it is tried until the words stand within the window.
 */
export async function clickThrough(words: Locator): Promise<void> {
  const until = Date.now() + 20_000
  for (;;) {
    try {
      return await words.click({ force: true, timeout: 2000 })
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}
