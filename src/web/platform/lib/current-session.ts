import { create } from 'zustand'

type CurrentSession = {
  /** The conversation on screen, or the one to which the chat view returns. */
  id: string | null
  /** A new conversation is being created; nothing else may be selected meanwhile. */
  isCreating: boolean
}

/** The current conversation, across views. */
export const useCurrentSession = create<CurrentSession>(() => ({ id: null, isCreating: false }))

/** Sets the current conversation; null for none. */
export function setCurrentSession(id: string | null): void {
  useCurrentSession.setState({ id })
}
