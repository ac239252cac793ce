import type { Page } from 'playwright-core'

/** Types each of these searches into the open palette and returns the milliseconds until its results are painted. */
export async function timePalette(page: Page, searches: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const words of searches)
    times.push(await page.evaluate<number>(`(${typeAndWait})(${JSON.stringify(words)})`))
  return times
}

/** Runs in the page. */
const typeAndWait = `async (words) => {
  const field = document.querySelector('[role="dialog"] [role="combobox"]')
  const list = () => document.querySelector('[role="dialog"] [role="listbox"]')
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  const start = performance.now()
  set.call(field, words)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  while (list()?.dataset.words !== words) {
    if (performance.now() - start > 20_000) throw new Error('No results for ' + words)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  return performance.now() - start
}`
