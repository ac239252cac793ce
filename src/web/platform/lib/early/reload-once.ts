/** Returns the address of the entry script of a page, by default this one, which names its version; null outside a built page. */
export function entryOfPage(page: ParentNode = document): string | null {
  return page.querySelector('script[type="module"][src*="/assets/"]')?.getAttribute('src') ?? null
}

/** Returns whether the page shows something that ends with it: a temporary chat, or a recording. */
export const hasUnsaved = (): boolean => document.querySelector('[data-unsaved]') !== null

const RELOADED = 'reloadedFrom'

/** Reloads the page, at most once per version, because one of its files is gone, unless something would be lost. Returns whether it reloads. */
export function reloadOnce(): boolean {
  const ours = entryOfPage()
  if (ours === null || hasUnsaved() || sessionStorage.getItem(RELOADED) === ours) return false
  sessionStorage.setItem(RELOADED, ours)
  location.reload()
  return true
}
