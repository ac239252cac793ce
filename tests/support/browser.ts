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

/** Opens the system's Chromium, headless. @throws if there is none; `scripts/system-packages.sh` installs it */
export async function openBrowser(extraFlags: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...flags, ...extraFlags] })
}

/**
 * Opens Chromium's headless shell, which takes a third less CPU time. Falls back to Chromium if Debian's
 * `chromium-headless-shell` is missing, or `CHROMIUM_PATH` names another browser.
 */
export async function openShell(extraFlags: string[] = []): Promise<Browser> {
  const shell = '/usr/bin/chromium-headless-shell'
  const executablePath = !process.env.CHROMIUM_PATH && existsSync(shell) ? shell : findChromium()
  return chromium.launch({ executablePath, args: [...flags, ...extraFlags] })
}

/** Opens Chromium with its own profile, as extensions require, in the headless mode that supports them. */
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

/** Opens a fresh profile. `signedIn` stores an access token where the client expects it. */
export async function openContext(
  browser: Browser,
  {
    url,
    token,
    theme = 'light',
    language = 'en',
    width = 1280,
    height = 800,
    withWorker = false,
  }: {
    url: string
    token?: string
    theme?: 'light' | 'dark'
    language?: 'en' | 'fr'
    width?: number
    height?: number
    /** Lets the service worker start. It answers requests that a test could not change then. */
    withWorker?: boolean
  },
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    baseURL: url,
    colorScheme: theme,
    locale: language === 'fr' ? 'fr-FR' : 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: withWorker ? 'allow' : 'block',
  })
  // Allows for loaded machines.
  context.setDefaultTimeout(60_000)
  watchRequests(context)
  await context.addInitScript(
    ([key, dark, lng]) => {
      // A sandboxed frame has no storage.
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
 * Clicks text under a button, which Playwright refuses unless forced. A forced click does not wait for animations, so it is
 * retried until the text is inside the window.
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
