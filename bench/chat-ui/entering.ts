import type { Browser } from 'playwright-core'
import { accountAt } from '../../tests/support/account.ts'
import { openContext } from '../../tests/support/browser.ts'
import { startJourney } from '../../tests/support/journey.ts'
import { median, round } from '../measure/statistics.ts'

type Entry = { ms: number; requests: number; kb: number }
const visits = ['cold', 'second', 'cached'] as const
type Visit = (typeof visits)[number]
/** Times with an empty cache, with cached files, and with Chromium's compiled code, which it caches from the second visit. */
export type Entering = Record<Visit, Entry> & { all: Record<Visit, Entry[]> }

/** Runs in the page: records when the composer appeared. It works immediately, because nothing is rendered on the server. */
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

/** Measures on the real product how long the address of a chat takes to a usable composer: in a fresh profile, then twice again. */
export async function measureEntering(runs: number): Promise<Entering> {
  const journey = await startJourney()
  try {
    const token = await journey.signUp('ada')
    const ada = accountAt(journey.url, token, 'ada')
    const { id } = await ada.call<{ id: string }>('POST', '/sessions', {})
    const all: Record<Visit, Entry[]> = { cold: [], second: [], cached: [] }
    for (let at = 0; at < runs; at += 1) {
      const entries = await enterAgain(journey.browser, journey.url, token, `/chat/${id}`)
      for (const visit of visits) all[visit].push(entries[visit])
    }
    const [cold, second, cached] = visits.map((visit) => middle(all[visit])) as [Entry, Entry, Entry]
    return { cold, second, cached, all }
  } finally {
    await journey.close()
  }
}

async function enterAgain(
  browser: Browser,
  url: string,
  token: string,
  path: string,
): Promise<Record<Visit, Entry>> {
  const context = await openContext(browser, { url, token })
  await context.addInitScript(watch)
  const enter = async () => {
    const page = await context.newPage()
    await page.goto(path)
    // Inspecting the page takes its time, so no one does before the composer is usable. Later files are weighed
    // too.
    let entry: Entry
    do {
      await page.waitForTimeout(3000)
      entry = await page.evaluate<Entry>(read)
    } while (entry.ms === 0)
    await page.close()
    return { ms: round(entry.ms, 0), requests: entry.requests, kb: round(entry.kb, 0) }
  }
  const entries = { cold: await enter(), second: await enter(), cached: await enter() }
  await context.close()
  return entries
}

function middle(entries: Entry[]): Entry {
  const of = (pick: (entry: Entry) => number) => median(entries.map(pick))
  return { ms: of(({ ms }) => ms), requests: of(({ requests }) => requests), kb: of(({ kb }) => kb) }
}
