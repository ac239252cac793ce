import { entryOfPage } from '../../platform/lib/early/reload-once.ts'

/** Returns whether the server now has another version of the page. False while it does not answer. */
export async function isNewVersionServed(): Promise<boolean> {
  const ours = entryOfPage()
  if (ours === null) return false
  try {
    const response = await fetch('/', { cache: 'no-cache', headers: { accept: 'text/html' } })
    if (!response.ok) return false
    const served = entryOfPage(new DOMParser().parseFromString(await response.text(), 'text/html'))
    return served !== null && served !== ours
  } catch {
    return false
  }
}
