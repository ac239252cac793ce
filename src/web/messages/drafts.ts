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
