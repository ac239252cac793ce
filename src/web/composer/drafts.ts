/** What was written and not sent, per session, while the page lives. `new` is the chat that does not exist yet. */
const drafts = new Map<string, string>()

/** The draft of a session, or an empty text. */
export function readDraft(sessionId: string | null): string {
  return drafts.get(sessionId ?? 'new') ?? ''
}

/** Keeps what is written; an empty text forgets it. */
export function keepDraft(sessionId: string | null, text: string): void {
  if (text) drafts.set(sessionId ?? 'new', text)
  else drafts.delete(sessionId ?? 'new')
}

/** The chat that opens where none was yet: what was written there is meant for it. */
let opening: string | null = null
/** A message that was sent before its chat was there. */
let early: string | null = null

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
  keepDraft(null, text)
  return null
}
