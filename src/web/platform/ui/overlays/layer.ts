import { createContext, use } from 'react'

/** True inside a modal dialog. */
export const InDialog = createContext(false)

/** Returns the class that places a floating panel above what it belongs to: the page, or the dialog it was opened from. */
export const useFloatingLayer = (): string => (use(InDialog) ? 'z-(--z-modal)' : 'z-(--z-popover)')
