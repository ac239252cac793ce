import { keepOwn, readKept, readOwn, subscribeKept } from '../../platform/lib/kept/kept.ts'

const nameOf = (sessionId: string | null) => `draft:${sessionId ?? 'new'}`

/**
 * Returns the unsent text of a session, or an empty text: of this tab, otherwise of another one. Null is the chat that does
 * not exist yet.
 */
export function readDraft(sessionId: string | null): string {
  return readOwn(nameOf(sessionId)) ?? readKept(nameOf(sessionId)) ?? ''
}

/** Stores unsent text; an empty text deletes it. */
export function keepDraft(sessionId: string | null, text: string): void {
  keepOwn(nameOf(sessionId), text)
}

/** Returns whether this tab has a draft; another tab's draft is only shown. */
export function hasOwnDraft(sessionId: string): boolean {
  return Boolean(readOwn(nameOf(sessionId))?.trim())
}

/** Moves this tab's draft to another session. */
export function moveDraft(from: string, to: string): void {
  const text = readOwn(nameOf(from))
  if (!text) return
  keepDraft(from, '')
  keepDraft(to, text)
}

/** Fields that show the draft of a session. */
const fields = new Map<string | null, () => void>()

/** Calls `show` whenever a text returns to the draft of a session. Returns a function that stops it. */
export function onDraftGiven(sessionId: string | null, show: () => void): () => void {
  fields.set(sessionId, show)
  return () => void (fields.get(sessionId) === show && fields.delete(sessionId))
}

/** Calls `show` when another tab changes a draft that is untouched in this one. Returns a function that stops it. */
export function onDraftElsewhere(sessionId: string | null, show: () => void): () => void {
  return subscribeKept(() => {
    if (readOwn(nameOf(sessionId)) === null) show()
  })
}

/** Returns a text to its draft, before anything typed since. */
export function giveDraft(sessionId: string | null, text: string): void {
  keepDraft(sessionId, [text, readDraft(sessionId)].filter(Boolean).join('\n'))
  fields.get(sessionId)?.()
}

/** The chat that replaces the empty root, which gets the root's draft. */
let opening: string | null = null
/** A message sent before its chat existed. */
let early: string | null = null
addEventListener('pagehide', () => void takeEarly(null))

/** Sets which chat replaces the empty root. */
export function noteOpening(sessionId: string): void {
  opening = sessionId
}

/** Moves the root's draft to the chat that opened; every other chat keeps its own. */
export function carryDraft(sessionId: string): void {
  const text = readDraft(null)
  if (opening !== sessionId || !text) return
  keepDraft(null, '')
  keepDraft(sessionId, [readDraft(sessionId), text].filter(Boolean).join('\n'))
}

/** Stores a message until its chat exists. Returns false while another one waits. */
export function sendEarly(text: string): boolean {
  if (early !== null || !text.trim()) return false
  early = text
  return true
}

/** Returns the message that waits for this chat, once. For any other place it becomes a draft again. */
export function takeEarly(sessionId: string | null): string | null {
  const text = early
  early = null
  if (text === null || (sessionId !== null && opening === sessionId)) return text
  giveDraft(null, text)
  return null
}
