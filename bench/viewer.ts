import { existsSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { type Account, signIn, signUp } from '../tests/support/account.ts'
import { untilAtRest } from '../tests/support/at-rest.ts'
import { openBrowser, openContext } from '../tests/support/browser.ts'
import { startProduct } from '../tests/support/product.ts'
import { openLibrary } from './ingest/library.ts'
import { median, round } from './measure/statistics.ts'
import { atMost, below } from './measure/targets.ts'
import { madePdf, SOUGHT } from './viewer/made-pdf.ts'

/**
 * Measures a long PDF in the viewer of the real product: from a click in the library, and from a reload, until its first
 * page is rendered; then tasks over 50 ms and live canvases while scrolling at reading speed and flinging, and while
 * searching all pages. Build the page first.
 *
 * --pages 300 --runs 3
 * --share 0.2 scrolls through only that part
 * --data folder keeps the document there for the next time
 * --profile file.json a trace of the first run, for Chromium's performance panel
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '300' },
      runs: { type: 'string', default: '3' },
      share: { type: 'string', default: '1' },
      data: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  const [pages, share] = [Number(values.pages), Number(values.share)]
  const isNew = !values.data || !existsSync(values.data)
  const product = await startProduct({ dataDir: values.data })
  const browser = await openBrowser()
  try {
    const account = isNew ? await signUp(product.url) : await signIn(product.url)
    if (isNew) await addPdf(product.url, account, pages)
    const runs: Measured[] = []
    for (let at = 0; at < Number(values.runs); at += 1) {
      const subject = { browser, url: product.url, token: account.token, share, pages }
      const measured = await measure(subject, at === 0 ? values.profile : undefined)
      console.error(JSON.stringify(measured))
      runs.push(measured)
    }
    return { pages, share, load: round(loadavg()[0] ?? 0), runs, targets: judge(runs, pages) }
  } finally {
    await browser.close()
    await product.stop()
  }
}

async function addPdf(url: string, account: Account, pages: number): Promise<void> {
  const bytes = await madePdf(pages)
  console.error(`${pages} pages, ${round(bytes.length / 1e6)} MB`)
  const library = openLibrary(url, account)
  const [ended] = await library.ended([await library.upload('Survey.pdf', bytes, 'low_latency')])
  if (ended?.status !== 'completed') throw new Error(`the PDF ended ${JSON.stringify(ended)}`)
}

type LongTask = { at: number; ms: number }
type Part = { long_tasks: number[]; canvases: number }
type Measured = Record<'click_ms' | 'reload_ms' | 'hits' | 'search_s', number> &
  Record<'reading' | 'flinging' | 'searching', Part>
type Subject = { browser: Browser; url: string; token: string; share: number; pages: number }

/** Pixels per second: a page in half a second, and faster than pages can be rendered. */
const SPEED = { reading: 1_700, flinging: 12_000 }
const FLING = 8_000

function judge(runs: Measured[], pages: number) {
  const parts = runs.flatMap(({ reading, flinging, searching }) => [reading, flinging, searching])
  const longOf = (pick: (run: Measured) => Part) => runs.flatMap((run) => pick(run).long_tasks).length
  return [
    below(
      'first page after a click in the library',
      median(runs.map(({ click_ms }) => click_ms)),
      1200,
      'ms',
    ),
    below('first page after a reload', median(runs.map(({ reload_ms }) => reload_ms)), 1200, 'ms'),
    atMost('canvases of pages alive', Math.max(...parts.map(({ canvases }) => canvases)), 12, 'canvases'),
    atMost(
      'long tasks while reading',
      longOf(({ reading }) => reading),
      0,
      'tasks',
    ),
    atMost(
      'long tasks while flinging',
      longOf(({ flinging }) => flinging),
      0,
      'tasks',
    ),
    atMost(
      'long tasks while searching',
      longOf(({ searching }) => searching),
      0,
      'tasks',
    ),
    atMost(
      'hits not found',
      runs.length * Math.floor(pages / 10) - runs.reduce((sum, { hits }) => sum + hits, 0),
      0,
      '',
    ),
  ]
}

/** In a fresh profile. */
async function measure(subject: Subject, profile: string | undefined): Promise<Measured> {
  const { browser, url, token } = subject
  const context = await openContext(browser, { url, token })
  await context.addInitScript({ path: join(import.meta.dirname, 'viewer/in-page.js') })
  const page = await context.newPage()
  await page.goto('/documents')
  await untilAtRest(page, 1_000)
  const stop = profile ? await startTrace(page, profile) : null
  await page.locator('.doc-open', { hasText: 'Survey' }).click()
  const click_ms = await firstPage(page)
  await page.reload()
  const reload_ms = await firstPage(page)
  await untilAtRest(page, 1_000)
  const cdp = await context.newCDPSession(page)
  const reading = await watch(page, () => scroll(page, cdp, subject.share, SPEED.reading))
  await page.evaluate("document.querySelector('.pdf-room').scrollTop = 0")
  await untilAtRest(page, 1_000)
  const flinging = await watch(page, () => fling(page, cdp, subject.share))
  const before = performance.now()
  let hits = 0
  const searching = await watch(page, async () => {
    hits = await search(page, Math.floor(subject.pages / 10))
  })
  const search_s = round((performance.now() - before) / 1000)
  await stop?.()
  await context.close()
  return { click_ms, reload_ms, hits, search_s, reading, flinging, searching }
}

/** Inspecting the page slows it down, so this waits until it has probably rendered. */
async function firstPage(page: Page): Promise<number> {
  for (;;) {
    await page.waitForTimeout(2_500)
    const { clickedAt, drawnAt } = await page.evaluate<{ clickedAt: number; drawnAt: number }>(
      'bench.watched',
    )
    if (drawnAt > 0) return round(drawnAt - clickedAt, 0)
  }
}

async function watch(page: Page, act: () => Promise<void>): Promise<Part> {
  await page.evaluate('bench.forget()')
  await act()
  await page.waitForTimeout(1_000)
  const { longTasks, mostCanvases } = await page.evaluate<{ longTasks: LongTask[]; mostCanvases: number }>(
    'bench.watched',
  )
  return { long_tasks: longTasks.map(({ ms }) => ms), canvases: mostCanvases }
}

const roomBox = async (page: Page) => {
  const box = await page.locator('.pdf-room').boundingBox()
  if (!box) throw new Error('the pages are not on screen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const heightOf = (page: Page) => page.evaluate<number>("document.querySelector('.pdf-room').scrollHeight")

/** Uses the wheel at an even speed. */
async function scroll(page: Page, cdp: CDPSession, share: number, speed: number): Promise<void> {
  const yDistance = -Math.round((await heightOf(page)) * share)
  await cdp.send('Input.synthesizeScrollGesture', {
    ...(await roomBox(page)),
    ...{ yDistance, speed, gestureSourceType: 'mouse' },
  })
}

/** Flings repeatedly, each with a pause. */
async function fling(page: Page, cdp: CDPSession, share: number): Promise<void> {
  const times = Math.round(((await heightOf(page)) * share) / FLING)
  const at = await roomBox(page)
  for (let n = 0; n < times; n += 1) {
    await cdp.send('Input.synthesizeScrollGesture', {
      ...at,
      ...{ yDistance: -FLING, speed: SPEED.flinging, gestureSourceType: 'mouse' },
    })
    await page.waitForTimeout(300)
  }
}

/** Returns the number of hits after all pages were read. */
async function search(page: Page, expected: number): Promise<number> {
  await page.getByRole('textbox', { name: 'Find in the document' }).fill(SOUGHT)
  const told = page.getByText(new RegExp(`^\\d+ / ${expected}$`))
  await told.waitFor({ timeout: 120_000 })
  return Number((await told.textContent())?.split('/')[1])
}

async function startTrace(page: Page, file: string): Promise<() => Promise<void>> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  await browser.startTracing(page, {
    categories: [
      'devtools.timeline',
      'disabled-by-default-v8.cpu_profiler',
      'v8.execute',
      'blink.user_timing',
      'toplevel',
    ],
  })
  return async () => writeFileSync(file, await browser.stopTracing())
}
