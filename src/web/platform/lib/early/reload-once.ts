/** Returns the address of the entry script of this page, which names its version; null outside a built page. */
export function entryOfPage(): string | null {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src*="/assets/"]')
  return script && new URL(script.src).pathname
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
