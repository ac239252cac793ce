import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

export type Page = {
  /** Resolves when messages are on screen, with the milliseconds since page start and since data and view were loaded. */
  shown(): Promise<{ whole: number; afterData: number }>
  send(text: string): Promise<void>
  /** Resolves when the reply is complete. */
  answered(): Promise<void>
  rest(ms: number): Promise<void>
  /** Scrolls to a position (0 to 1) of the transcript and waits until it settles. */
  scrollTo(part: number): Promise<void>
  /** Durations of main-thread tasks over 50 ms, in milliseconds. */
  longTasks(): Promise<number[]>
  clearLongTasks(): Promise<void>
  /** Seconds of thread time the page's main thread has used. */
  cpu(): Promise<{ script: number; task: number }>
  /** Number of DOM nodes, index of the first rendered message, and number of messages. */
  read(): Promise<{ nodes: number; first: number; total: number }>
  /** Records a CPU profile during `run`. */
  profile(run: () => Promise<void>): Promise<object>
  close(): Promise<void>
}

/** Launches the system's Chromium, or the one at `CHROMIUM_PATH`. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      ...[
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
      ],
      ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
    ],
  })
}

/** Opens an address in a fresh profile, signed in. */
export async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript({ path: join(import.meta.dirname, 'in-page.js') })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(url)
  return {
    async shown() {
      await page.waitForFunction('bench.watched.shownAt > 0')
      return page.evaluate<{ whole: number; afterData: number }>('bench.shownMs()')
    },
    async send(text) {
      await page.fill('textarea', text)
      await page.keyboard.press('Enter')
    },
    async answered() {
      const stop = page.getByRole('button', { name: 'Stop' })
      await stop.waitFor()
      await stop.waitFor({ state: 'detached', timeout: 120_000 })
      await page.waitForTimeout(300)
    },
    rest: (ms) => page.waitForTimeout(ms),
    async scrollTo(part) {
      await page.evaluate(`bench.scrollTo(${part})`)
      await page.waitForTimeout(400)
    },
    longTasks: () => page.evaluate<number[]>('bench.watched.longTasks'),
    clearLongTasks: () => page.evaluate<void>('void (bench.watched.longTasks.length = 0)'),
    async cpu() {
      const { metrics } = await cdp.send('Performance.getMetrics')
      const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
      return { script: value('ScriptDuration'), task: value('TaskDuration') }
    },
    read: () => page.evaluate('bench.read()'),
    async profile(run) {
      await cdp.send('Profiler.enable')
      await cdp.send('Profiler.start')
      await run()
      return (await cdp.send('Profiler.stop')).profile
    },
    close: () => context.close(),
  }
}
