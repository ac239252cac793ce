import { create } from 'zustand'

type CurrentSession = {
  /** The conversation on screen, or the one the chat view returns to. */
  id: string | null
  /** A new conversation is on its way: nothing else may be selected meanwhile. */
  isCreating: boolean
}

/** Which conversation is the current one, across views. */
export const useCurrentSession = create<CurrentSession>(() => ({ id: null, isCreating: false }))

/** Makes a conversation the current one; null when there is none. */
export function setCurrentSession(id: string | null): void {
  useCurrentSession.setState({ id })
}
