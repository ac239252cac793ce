import { MAX_TITLE } from '#shared/chat/sessions/sessions.ts'

/** Truncates a title to its maximum length, without splitting a character. */
export function limitTitle(typed: string): string {
  if (typed.length <= MAX_TITLE) return typed
  const cut = typed.slice(0, MAX_TITLE)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** Returns the title to send, or null if it is empty or unchanged. */
export function titleToSend(typed: string, current: string): string | null {
  const title = limitTitle(typed.trim()).trim()
  return title === '' || title === current ? null : title
}
