import { create } from 'zustand'

type Reachability = { isReachable: boolean; lastSeen: number | null }

/** Whether the server answered the last call; `lastSeen` is the time of its last answer, in milliseconds. */
export const useReachability = create<Reachability>(() => ({ isReachable: true, lastSeen: null }))

/** Called by `call` after every attempt. */
export function noteReached(isReachable: boolean): void {
  const state = useReachability.getState()
  if (isReachable) {
    // Precise to a second, because otherwise every call would rerender its readers.
    const isRecent = state.lastSeen !== null && Date.now() - state.lastSeen < 1000
    if (!state.isReachable || !isRecent) useReachability.setState({ isReachable: true, lastSeen: Date.now() })
  } else if (state.isReachable) useReachability.setState({ isReachable: false })
}

/** Returns whether a call is likely to arrive. */
export function isConnected(): boolean {
  return navigator.onLine && useReachability.getState().isReachable
}
