import { setSheetOpen, setSidebarOpen } from '../../../platform/lib/layout.ts'
import { PHONE } from '../../../platform/lib/page-state.ts'
import { pause, whenOnPage } from './on-page.ts'
import type { Tour } from './tours.ts'

/** What the page is given before a tour starts: to arrive, to open the sidebar, to come to rest. */
export const PREPARATION_MS = { route: 300, sidebar: 400, rest: 100 }

/**
 * Brings a person to where a tour takes place and opens the sidebar; on phones, where it would cover the view, only for
 * the tour of the sidebar. Gives whether what the tour needs came within 5 s.
 */
export async function prepareTour(tour: Tour, goTo: (path: string) => Promise<void>): Promise<boolean> {
  if (tour.route !== null) await goTo(tour.route)
  await pause(PREPARATION_MS.route)
  if (!matchMedia(PHONE).matches) setSidebarOpen(true)
  else if (tour.key === 'leftSidebar') setSheetOpen(true)
  await pause(PREPARATION_MS.sidebar)
  await pause(PREPARATION_MS.rest)
  return (await whenOnPage(tour.view)) !== null
}
