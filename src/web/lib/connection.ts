import { create } from 'zustand'

type Connection = { isReachable: boolean; lastSeen: number | null }

/** Whether the server answered the last call; `lastSeen` is when it last did, in milliseconds. */
export const useConnection = create<Connection>(() => ({ isReachable: true, lastSeen: null }))

/** Noted by `call` after every attempt. */
export function noteReached(isReachable: boolean): void {
  const state = useConnection.getState()
  if (isReachable) {
    // Only the second matters; without this every call would wake whoever watches.
    const isRecent = state.lastSeen !== null && Date.now() - state.lastSeen < 1000
    if (!state.isReachable || !isRecent) useConnection.setState({ isReachable: true, lastSeen: Date.now() })
  } else if (state.isReachable) useConnection.setState({ isReachable: false })
}
