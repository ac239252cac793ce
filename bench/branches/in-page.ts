import type { Page } from 'playwright-core'

/** Runs until `isDone` holds in a frame and answers the milliseconds since `act`, the frame's drawing included. */
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

/** What is measured inside the page, in milliseconds: the way of a message to the test and back is not in it. */
export const inPage = {
  /** Goes to the next (1) or previous (-1) alternative of the message on screen. */
  step: (page: Page, step: 1 | -1) =>
    page.evaluate<number>(
      timed(
        `document.querySelector('[data-step="${step}"]').click()`,
        'switcher() && switcher() !== before.switcher',
      ),
    ),
  /** Opens the branch map by its button beside the title. */
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
  /** Presses a key of the map; an end where it leads nowhere counts as one frame. */
  key: (page: Page, key: string) =>
    page.evaluate<number>(
      timed(
        `tree().dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))
         let frames = 0`,
        `tree().getAttribute('aria-activedescendant') !== before.current || (frames += 1) > 2`,
      ),
    ),
}
