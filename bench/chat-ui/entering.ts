import type { Browser } from 'playwright-core'
import { accountAt } from '../../tests/support/account.ts'
import { openContext } from '../../tests/support/browser.ts'
import { startJourney } from '../../tests/support/journey.ts'
import { median, round } from '../measure/statistics.ts'

type Entry = { ms: number; requests: number; kb: number }
export type Entering = { cold: Entry; cached: Entry; all: { cold: Entry[]; cached: Entry[] } }

/** In the page: when the composer came. It works as soon as it is there: nothing is drawn on the server. */
const watch = `window.entry = { at: 0 }
new MutationObserver((_, watching) => {
  if (!document.querySelector('main textarea')) return
  entry.at = performance.now()
  watching.disconnect()
}).observe(document, { childList: true, subtree: true })`

const read = `(() => {
  const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  return {
    ms: entry.at,
    requests: loaded.filter(({ startTime }) => startTime < entry.at).length,
    kb: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
  }
})()`

/** How long the address of a chat takes until one can write there, on the real product: in a fresh profile, then again. */
export async function measureEntering(runs: number): Promise<Entering> {
  const journey = await startJourney()
  try {
    const token = await journey.signUp('ada')
    const ada = accountAt(journey.url, token, 'ada')
    const { id } = await ada.call<{ id: string }>('POST', '/sessions', {})
    const all = { cold: [] as Entry[], cached: [] as Entry[] }
    for (let at = 0; at < runs; at += 1) {
      const [cold, cached] = await enterTwice(journey.browser, journey.url, token, `/chat/${id}`)
      all.cold.push(cold)
      all.cached.push(cached)
    }
    return { cold: middle(all.cold), cached: middle(all.cached), all }
  } finally {
    await journey.close()
  }
}

async function enterTwice(
  browser: Browser,
  url: string,
  token: string,
  path: string,
): Promise<[Entry, Entry]> {
  const context = await openContext(browser, { url, token })
  await context.addInitScript(watch)
  const enter = async () => {
    const page = await context.newPage()
    await page.goto(path)
    await page.locator('main textarea').waitFor()
    // What comes when there is nothing else to do is weighed too.
    await page.waitForTimeout(2000)
    const entry = await page.evaluate<Entry>(read)
    await page.close()
    return { ms: round(entry.ms, 0), requests: entry.requests, kb: round(entry.kb, 0) }
  }
  const both: [Entry, Entry] = [await enter(), await enter()]
  await context.close()
  return both
}

function middle(entries: Entry[]): Entry {
  const of = (pick: (entry: Entry) => number) => median(entries.map(pick))
  return { ms: of(({ ms }) => ms), requests: of(({ requests }) => requests), kb: of(({ kb }) => kb) }
}
