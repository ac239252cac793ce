import { create } from 'zustand'

/** Chats that the person is about to move. `to` is the chosen project; undefined until one is chosen. */
type Moving = { ids: readonly string[]; to?: string }

/** The open dialog that moves chats; null for none. */
export const useMoving = create<{ moving: Moving | null }>(() => ({ moving: null }))

/** Opens the dialog that moves chats. */
export function askToMove(ids: readonly string[], to?: string): void {
  if (ids.length > 0) useMoving.setState({ moving: to === undefined ? { ids } : { ids, to } })
}

export function closeMove(): void {
  useMoving.setState({ moving: null })
}
