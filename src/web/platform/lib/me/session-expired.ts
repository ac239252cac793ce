import { create } from 'zustand'

/** Whether the session-expired popup lies over the current view. */
export const useSessionExpired = create<{ isExpired: boolean }>(() => ({ isExpired: false }))

/** Opens the popup: a call was refused although a token was sent. */
export function raiseSessionExpired(): void {
  useSessionExpired.setState({ isExpired: true })
}

/** Closes the popup: a new token is there, or the person left for the login page. */
export function settleSessionExpired(): void {
  useSessionExpired.setState({ isExpired: false })
}
