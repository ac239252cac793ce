import { useMemo, useSyncExternalStore } from 'react'
import { keep, keptNames, readKept, subscribeKept } from '../../../platform/lib/kept/kept.ts'
import { newClientId } from '../chat/temporary.ts'

/** A message that the server is not known to have. Sent again, it keeps its name and is stored once. */
export type Waiting = {
  clientId: string
  text: string
  toolChoice: string | null
  /** What must come first; null while it is under way. */
  waitsFor: 'reply' | 'connection' | null
  /** It begins its chat; begun elsewhere meanwhile, it begins another one. */
  isFirst?: boolean
}
type Kept = Waiting & { tab: string; at: number }

const PREFIX = 'outbox:'
const TAB = 'tab'
/** What a tab has not touched for so long is sent by any other. */
const LEFT_MS = 60_000

/** The messages of a session that wait, in their order. */
export function waitingIn(sessionId: string): readonly Kept[] {
  return parse(readKept(PREFIX + sessionId))
}

/** The same, kept up to date, without those that are under way. */
export function useWaiting(sessionId: string | null): readonly Waiting[] {
  const kept = useSyncExternalStore(subscribeKept, () => readKept(PREFIX + sessionId))
  return useMemo(() => parse(kept).filter(({ waitsFor }) => waitsFor !== null), [kept])
}

/** Puts a message at the end; one that is there already stays in its place and is changed. */
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

/** The sessions in which a message waits. */
export function sessionsWaiting(): string[] {
  return keptNames(PREFIX).map((name) => name.slice(PREFIX.length))
}

/** Whether it is for this tab to send a message: it was written here, or its tab is gone. */
export function isOurs({ tab, at }: Kept): boolean {
  return tab === thisTab() || at < Date.now() - LEFT_MS
}

/** A message that did not get through is left alone for so long. */
const PAUSE_MS = 2500
const restUntil = new Map<string, number>()

/** Leaves a message alone while it is under way. Gives the function that ends it, after a short while. */
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

/** The name of this tab, which a reload keeps. */
function thisTab(): string {
  const known = sessionStorage.getItem(TAB)
  if (known) return known
  const tab = newClientId()
  sessionStorage.setItem(TAB, tab)
  return tab
}
