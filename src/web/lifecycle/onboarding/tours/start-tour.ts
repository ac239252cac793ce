import { setSheetOpen, setSidebarOpen } from '../../../platform/lib/layout.ts'
import { PHONE } from '../../../platform/lib/page-state.ts'
import { pause, whenOnPage } from './on-page.ts'
import type { Tour } from './tours.ts'

/** Delays before a tour starts: for navigation, for the sidebar, and for the page to settle. */
export const PREPARATION_MS = { route: 300, sidebar: 400, rest: 100 }

/**
 * Navigates to a tour's view and opens the sidebar; on phones, where it would cover the view, only for the tour of the
 * sidebar. Returns whether the tour's target appeared within 5 s.
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
