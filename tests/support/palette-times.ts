import type { Page } from 'playwright-core'

/** Types each of these searches into the open palette and returns the milliseconds until its results are painted. */
export function timePalette(page: Page, searches: readonly string[]): Promise<number[]> {
  return time(page, searches, {
    field: '[role="dialog"] [role="combobox"]',
    list: '[role="dialog"] [role="listbox"]',
  })
}

/** Does the same after an `@` in the composer. */
export function timeMentions(page: Page, searches: readonly string[]): Promise<number[]> {
  return time(page, searches, {
    field: '[data-composer] textarea',
    list: '[role="listbox"][data-words]',
    sign: '@',
  })
}

type Place = { field: string; list: string; sign?: string }

async function time(page: Page, searches: readonly string[], place: Place): Promise<number[]> {
  const times: number[] = []
  for (const words of searches)
    times.push(await page.evaluate<number>(`(${typeAndWait})(${JSON.stringify({ ...place, words })})`))
  return times
}

/** Runs in the page. */
const typeAndWait = `async ({ field: name, list, sign = '', words }) => {
  const field = document.querySelector(name)
  const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set
  const start = performance.now()
  set.call(field, sign + words)
  field.setSelectionRange(sign.length + words.length, sign.length + words.length)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  while (document.querySelector(list)?.dataset.words !== words) {
    if (performance.now() - start > 20_000) throw new Error('No results for ' + words)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  return performance.now() - start
}`
