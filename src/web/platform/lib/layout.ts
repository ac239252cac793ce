import { create } from 'zustand'

type Layout = {
  /** The left sidebar at full width; otherwise it is the rail. */
  isSidebarOpen: boolean
  /** On phones the sidebar is a sheet over the view. */
  isSheetOpen: boolean
  /** Slot for the shell's elements in the top bar of the current view. */
  topBarSlot: HTMLElement | null
  /** End of the sidebar's sheet on phones, while it is open. */
  sheetFoot: HTMLElement | null
  /** Counts requests to open the history search. */
  searchRequests: number
  /** Words of the last such request; null without any. */
  searchWords: string | null
  /** The palette is open. */
  isPaletteOpen: boolean
  /** The overview of shortcuts is open. */
  isHelpOpen: boolean
  /** A tour is running, so what it opened stays open. */
  isTouring: boolean
}

/** Layout state shared by the shell and the views. */
export const useLayout = create<Layout>(() => ({
  isSidebarOpen: true,
  isSheetOpen: false,
  topBarSlot: null,
  sheetFoot: null,
  searchRequests: 0,
  searchWords: null,
  isPaletteOpen: false,
  isHelpOpen: false,
  isTouring: false,
}))

/** Opens or closes the left sidebar (full width or rail). */
export function setSidebarOpen(isSidebarOpen: boolean): void {
  useLayout.setState({ isSidebarOpen })
}

/** Opens or closes the sidebar sheet on phones. */
export function setSheetOpen(isSheetOpen: boolean): void {
  useLayout.setState({ isSheetOpen })
}

/** Opens or closes the overview of shortcuts. */
export function setHelpOpen(isHelpOpen: boolean): void {
  useLayout.setState({ isHelpOpen })
}

/** Opens or closes the palette. */
export function setPaletteOpen(isPaletteOpen: boolean): void {
  useLayout.setState({ isPaletteOpen })
}

/** Requests the history search, which the history opens, optionally with words. */
export function requestSearch(words: string | null = null): void {
  useLayout.setState((state) => ({ searchRequests: state.searchRequests + 1, searchWords: words }))
}

/** Notes where the sheet of the sidebar ends, for what the shell puts there. */
export function setSheetFoot(sheetFoot: HTMLElement | null): void {
  useLayout.setState({ sheetFoot })
}
