import { useSyncExternalStore } from 'react'
import { keptNames, readKept, subscribeKept } from '../../platform/lib/kept/kept.ts'

const PREFIX = 'unmade:'

/** What a chat that the server does not know is kept under. */
export const unmadeName = (sessionId: string | null) => PREFIX + sessionId

/** Whether the server does not know a chat yet: it was begun here without a connection. */
export function isUnmade(sessionId: string | null): boolean {
  return readKept(unmadeName(sessionId)) !== null
}

/** The same, kept up to date. */
export function useIsUnmade(sessionId: string | null): boolean {
  return useSyncExternalStore(subscribeKept, () => isUnmade(sessionId))
}

/** The chats the server does not know yet. */
export function unmadeChats(): string[] {
  return keptNames(PREFIX).map((name) => name.slice(PREFIX.length))
}

/** Whether nothing was written in a chat that the server does not know: neither a message nor a draft, in any tab. */
export function isUntouched(sessionId: string): boolean {
  const own = unmadeName(sessionId)
  return keptNames('').every((name) => name === own || !name.endsWith(`:${sessionId}`))
}
