import { MAX_TITLE } from '#shared/chat/sessions/sessions.ts'

/** Cuts what is typed to the length a title may have, never through the middle of a character. */
export function limitTitle(typed: string): string {
  if (typed.length <= MAX_TITLE) return typed
  const cut = typed.slice(0, MAX_TITLE)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** The title to send, or null when there is nothing to send: empty reverts, unchanged stays. */
export function titleToSend(typed: string, current: string): string | null {
  const title = limitTitle(typed.trim()).trim()
  return title === '' || title === current ? null : title
}
