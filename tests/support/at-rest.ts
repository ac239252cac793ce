import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page, Request } from 'playwright-core'

/** Open requests of a profile's pages, and the number of requests started or ended so far. */
type Traffic = { underWay: Set<Request>; count: number }

const traffic = new WeakMap<BrowserContext, Traffic>()

/** Tracks requests for `untilAtRest`. A stream counts only until it has started, because it stays open. */
export function watchRequests(context: BrowserContext): void {
  const seen: Traffic = { underWay: new Set(), count: 0 }
  traffic.set(context, seen)
  const end = (request: Request) => {
    if (seen.underWay.delete(request)) seen.count += 1
  }
  context.on('request', (request) => {
    seen.underWay.add(request)
    seen.count += 1
  })
  context.on('requestfinished', end)
  context.on('requestfailed', end)
  context.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) end(response.request())
  })
}

/**
 * Runs in the page. Resolves once nothing has changed or moved for this long, or after ten seconds.
 * Time during which the page was busy does not count, because what it computes then is shown only afterwards.
 */
const untilStill = (quietMs: number) => `new Promise((resolve) => {
  const isMoving = () => document.getAnimations().some(({ playState, effect }) =>
    playState === 'running' && effect.getComputedTiming().endTime !== Infinity)
  const began = performance.now()
  let since = began
  let last = began
  const observer = new MutationObserver(() => (since = performance.now()))
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const look = () => {
    const now = performance.now()
    if (isMoving() || now - last > 100) since = now
    last = now
    if (now - since < ${quietMs} && now - began < 10_000) return setTimeout(look, 20)
    observer.disconnect()
    resolve()
  }
  look()
})`

/**
 * Waits until nothing was fetched, changed or moved for `quietMs`.
 * @throws Error after a minute
 */
export async function untilAtRest(page: Page, quietMs = 150): Promise<void> {
  const seen = traffic.get(page.context())
  if (!seen) throw new Error('the profile of this page was not opened by openContext')
  const deadline = Date.now() + 60_000
  for (let count = -1; count !== seen.count || seen.underWay.size > 0; ) {
    if (Date.now() > deadline)
      throw new Error(`never at rest: ${[...seen.underWay].map((request) => request.url()).join(', ')}`)
    if (seen.underWay.size > 0) await sleep(20)
    count = seen.count
    // If the page navigates in the meantime, check again.
    await page.evaluate(untilStill(quietMs)).catch(() => {
      count = -1
    })
  }
}
