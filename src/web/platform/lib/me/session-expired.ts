import { create } from 'zustand'

/** Whether the session-expired popup is shown over the current view. */
export const useSessionExpired = create<{ isExpired: boolean }>(() => ({ isExpired: false }))

/** Opens the popup, because a call with a token was refused. */
export function raiseSessionExpired(): void {
  useSessionExpired.setState({ isExpired: true })
}

/** Closes the popup, because there is a new token or the person left for the login page. */
export function settleSessionExpired(): void {
  useSessionExpired.setState({ isExpired: false })
}
