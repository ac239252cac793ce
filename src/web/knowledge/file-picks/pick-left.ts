const NAME = 'file-pick'

/** A pick that this tab left for the page of a source. */
type Left = { id: string; sessionId: string }

/** Notes a pick before the browser goes to the page of its source. */
export function leavePick(left: Left): void {
  sessionStorage.setItem(NAME, JSON.stringify(left))
}

/** Returns the pick that was left for a chat, once. */
export function takeLeftPick(sessionId: string): string | null {
  const left = sessionStorage.getItem(NAME)
  if (!left) return null
  const { id, sessionId: of } = JSON.parse(left) as Left
  if (of !== sessionId) return null
  sessionStorage.removeItem(NAME)
  return id
}
