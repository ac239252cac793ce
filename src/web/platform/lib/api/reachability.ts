import { create } from 'zustand'

type Reachability = { isReachable: boolean; lastSeen: number | null }

/** Whether the server answered the last call; `lastSeen` is when it last did, in milliseconds. */
export const useReachability = create<Reachability>(() => ({ isReachable: true, lastSeen: null }))

/** Noted by `call` after every attempt. */
export function noteReached(isReachable: boolean): void {
  const state = useReachability.getState()
  if (isReachable) {
    // Only the second matters; without this every call would draw its readers again.
    const isRecent = state.lastSeen !== null && Date.now() - state.lastSeen < 1000
    if (!state.isReachable || !isRecent) useReachability.setState({ isReachable: true, lastSeen: Date.now() })
  } else if (state.isReachable) useReachability.setState({ isReachable: false })
}

/** Whether a call has a chance to arrive. */
export function isConnected(): boolean {
  return navigator.onLine && useReachability.getState().isReachable
}
