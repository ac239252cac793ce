import { create } from 'zustand'

type Layout = {
  /** The left sidebar at full width; otherwise it is the rail. */
  isSidebarOpen: boolean
  /** On phones the sidebar is a sheet over the view. */
  isSheetOpen: boolean
  /** Where the shell puts its own things into the top bar of the current view. */
  topBarSlot: HTMLElement | null
  /** The history search has been asked for (Ctrl+K); counts up with every request. */
  searchRequests: number
  /** The sheet of shortcuts is open. */
  isHelpOpen: boolean
  /** A tour shows a person around: what it opened stays open. */
  isTouring: boolean
}

/** What the shell and the views agree on about the room they share. */
export const useLayout = create<Layout>(() => ({
  isSidebarOpen: true,
  isSheetOpen: false,
  topBarSlot: null,
  searchRequests: 0,
  isHelpOpen: false,
  isTouring: false,
}))

/** Opens or closes the left sidebar (full width or rail). */
export function setSidebarOpen(isSidebarOpen: boolean): void {
  useLayout.setState({ isSidebarOpen })
}

/** Opens or closes the sidebar sheet of phones. */
export function setSheetOpen(isSheetOpen: boolean): void {
  useLayout.setState({ isSheetOpen })
}

/** Opens or closes the sheet of shortcuts. */
export function setHelpOpen(isHelpOpen: boolean): void {
  useLayout.setState({ isHelpOpen })
}

/** Asks for the history search; the history opens it. */
export function requestSearch(): void {
  useLayout.setState((state) => ({ searchRequests: state.searchRequests + 1 }))
}
