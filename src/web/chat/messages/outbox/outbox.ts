import { useMemo, useSyncExternalStore } from 'react'
import type { NamedMention } from '#shared/chat/messages/mentions.ts'
import type { MessageFile } from '#shared/chat/messages/message-files.ts'
import { keep, keptNames, readKept, subscribeKept } from '../../../platform/lib/kept/kept.ts'
import { newClientId } from '../chat/temporary.ts'

/** A message that may not have reached the server. A retry keeps its id, so it is stored once. */
export type Waiting = {
  clientId: string
  text: string
  toolChoice: string | null
  /** The model of this reply alone. */
  modelName?: string
  files?: readonly MessageFile[]
  mentions?: readonly NamedMention[]
  /** The event it waits for; null while it is being sent. */
  waitsFor: 'reply' | 'connection' | null
  /** It begins its chat; if that was begun elsewhere meanwhile, it begins another one. */
  isFirst?: boolean
}
type Kept = Waiting & { tab: string; at: number }

const PREFIX = 'outbox:'
const TAB = 'tab'
/** Time after which another tab sends a message of an inactive tab. */
const LEFT_MS = 60_000

/** Returns the queued messages of a session in order. */
export function waitingIn(sessionId: string): readonly Kept[] {
  return parse(readKept(PREFIX + sessionId))
}

/** Does the same reactively, without those being sent. */
export function useWaiting(sessionId: string | null): readonly Waiting[] {
  const kept = useSyncExternalStore(subscribeKept, () => readKept(PREFIX + sessionId))
  return useMemo(() => parse(kept).filter(({ waitsFor }) => waitsFor !== null), [kept])
}

/** Appends a message, or changes a queued one in place. */
export function putWaiting(sessionId: string, message: Waiting): void {
  const before = waitingIn(sessionId)
  const kept = { ...message, tab: thisTab(), at: Date.now() }
  const isThere = before.some(({ clientId }) => clientId === message.clientId)
  const others = before.map((one) => (one.clientId === message.clientId ? kept : one))
  write(sessionId, isThere ? others : [...before, kept])
}

export function dropWaiting(sessionId: string, clientId: string): void {
  write(
    sessionId,
    waitingIn(sessionId).filter((one) => one.clientId !== clientId),
  )
}

/** Returns the sessions with queued messages. */
export function sessionsWaiting(): string[] {
  return keptNames(PREFIX).map((name) => name.slice(PREFIX.length))
}

/** Returns whether this tab sends a message: it was written here, or its tab is gone. */
export function isOurs({ tab, at }: Kept): boolean {
  return tab === thisTab() || at < Date.now() - LEFT_MS
}

/** Delay before an undelivered message is retried. */
const PAUSE_MS = 2500
const restUntil = new Map<string, number>()

/** Holds a message back while it is being sent. Returns a function that releases it after a short while. */
export function holdBack(clientId: string): () => void {
  restUntil.set(clientId, Number.POSITIVE_INFINITY)
  return () => void restUntil.set(clientId, Date.now() + PAUSE_MS)
}

export function isHeldBack({ clientId }: Waiting): boolean {
  return (restUntil.get(clientId) ?? 0) > Date.now()
}

function write(sessionId: string, messages: readonly Kept[]): void {
  keep(PREFIX + sessionId, messages.length > 0 ? JSON.stringify(messages) : '')
}

function parse(kept: string | null): readonly Kept[] {
  return kept ? JSON.parse(kept) : []
}

/** Returns the id of this tab, which survives a reload. */
function thisTab(): string {
  const known = sessionStorage.getItem(TAB)
  if (known) return known
  const tab = newClientId()
  sessionStorage.setItem(TAB, tab)
  return tab
}
