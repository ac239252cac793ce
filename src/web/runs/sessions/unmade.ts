import { useSyncExternalStore } from 'react'
import { keptNames, readKept, subscribeKept } from '../../platform/lib/kept/kept.ts'

const PREFIX = 'unmade:'

/** Storage key of a chat that the server does not know. */
export const unmadeName = (sessionId: string | null) => PREFIX + sessionId

/** Returns whether a chat was created here offline and is unknown to the server. */
export function isUnmade(sessionId: string | null): boolean {
  return readKept(unmadeName(sessionId)) !== null
}

/** Does the same reactively. */
export function useIsUnmade(sessionId: string | null): boolean {
  return useSyncExternalStore(subscribeKept, () => isUnmade(sessionId))
}

/** Returns the chats unknown to the server. */
export function unmadeChats(): string[] {
  return keptNames(PREFIX).map((name) => name.slice(PREFIX.length))
}

/** Returns whether a chat unknown to the server is empty: without a message or a draft in any tab. */
export function isUntouched(sessionId: string): boolean {
  const own = unmadeName(sessionId)
  return keptNames('').every((name) => name === own || !name.endsWith(`:${sessionId}`))
}
