import type { Page } from 'playwright-core'

/** Runs `act`, waits for a frame in which `isDone` holds, and returns the milliseconds in between, including the drawing. */
const timed = (act: string, isDone: string) => `new Promise((resolve) => {
  const switcher = () => document.querySelector('[data-step="1"]')?.closest('[role="group"]')?.textContent
  const tree = () => document.querySelector('[role="tree"]')
  const before = { switcher: switcher(), current: tree()?.getAttribute('aria-activedescendant') }
  const started = performance.now()
  ${act}
  const look = () => {
    if (${isDone}) requestAnimationFrame(() => resolve(performance.now() - started))
    else requestAnimationFrame(look)
  }
  look()
})`

/** Measures inside the page, in milliseconds, without the message delay between page and test. */
export const inPage = {
  /** Moves to the next (1) or previous (-1) alternative of the message on screen. */
  step: (page: Page, step: 1 | -1) =>
    page.evaluate<number>(
      timed(
        `document.querySelector('[data-step="${step}"]').click()`,
        'switcher() && switcher() !== before.switcher',
      ),
    ),
  /** Opens the branch map with its button next to the title. */
  openMap: (page: Page) =>
    page.evaluate<number>(
      timed(
        `document.querySelector('main header button[aria-expanded]').click()`,
        'tree()?.querySelector(\'[role="treeitem"]\')',
      ),
    ),
  mapNodes: (page: Page) =>
    page.evaluate<number>(
      `document.querySelector('[role="tree"]').closest('aside').querySelectorAll('*').length`,
    ),
  /** Presses a key in the map; a key without effect counts as one frame. */
  key: (page: Page, key: string) =>
    page.evaluate<number>(
      timed(
        `tree().dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))
         let frames = 0`,
        `tree().getAttribute('aria-activedescendant') !== before.current || (frames += 1) > 2`,
      ),
    ),
}
