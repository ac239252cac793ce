import { keepOwn, readKept, readOwn, subscribeKept } from '../../platform/lib/kept/kept.ts'

const nameOf = (sessionId: string | null) => `draft:${sessionId ?? 'new'}`

/**
 * What was written in a session and not sent, or an empty text: in this tab, else in another one. Null is the chat that
 * does not exist yet.
 */
export function readDraft(sessionId: string | null): string {
  return readOwn(nameOf(sessionId)) ?? readKept(nameOf(sessionId)) ?? ''
}

/** Keeps what is written; an empty text forgets it. */
export function keepDraft(sessionId: string | null, text: string): void {
  keepOwn(nameOf(sessionId), text)
}

/** Whether something was written in this tab; what another one keeps is only shown. */
export function hasOwnDraft(sessionId: string): boolean {
  return Boolean(readOwn(nameOf(sessionId))?.trim())
}

/** Takes what was written in this tab to another session. */
export function moveDraft(from: string, to: string): void {
  const text = readOwn(nameOf(from))
  if (!text) return
  keepDraft(from, '')
  keepDraft(to, text)
}

/** Who shows the draft of a session. */
const fields = new Map<string | null, () => void>()

/** Calls `show` whenever a text comes back to the draft of a session. Gives the function that stops it. */
export function onDraftGiven(sessionId: string | null, show: () => void): () => void {
  fields.set(sessionId, show)
  return () => void (fields.get(sessionId) === show && fields.delete(sessionId))
}

/** Calls `show` when another tab changes a draft that was not touched in this one. Gives the function that stops it. */
export function onDraftElsewhere(sessionId: string | null, show: () => void): () => void {
  return subscribeKept(() => {
    if (readOwn(nameOf(sessionId)) === null) show()
  })
}

/** Gives a text back to where it was written, in front of what was written there since. */
export function giveDraft(sessionId: string | null, text: string): void {
  keepDraft(sessionId, [text, readDraft(sessionId)].filter(Boolean).join('\n'))
  fields.get(sessionId)?.()
}

/** The chat that opens where none was yet: what was written there is meant for it. */
let opening: string | null = null
/** A message that was sent before its chat was there. */
let early: string | null = null
addEventListener('pagehide', () => void takeEarly(null))

/** Says which chat takes the place of none. */
export function noteOpening(sessionId: string): void {
  opening = sessionId
}

/** Gives what was written before there was a chat to the one that opened; every other chat keeps its own draft. */
export function carryDraft(sessionId: string): void {
  const text = readDraft(null)
  if (opening !== sessionId || !text) return
  keepDraft(null, '')
  keepDraft(sessionId, [readDraft(sessionId), text].filter(Boolean).join('\n'))
}

/** Keeps a message until its chat is there. False while another one waits for that. */
export function sendEarly(text: string): boolean {
  if (early !== null || !text.trim()) return false
  early = text
  return true
}

/** The message that waits for this chat, once. For any other place it becomes a draft again. */
export function takeEarly(sessionId: string | null): string | null {
  const text = early
  early = null
  if (text === null || (sessionId !== null && opening === sessionId)) return text
  giveDraft(null, text)
  return null
}
