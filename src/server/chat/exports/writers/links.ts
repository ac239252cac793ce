/** Returns the URL if it is safe in a file (web or mail address), else null. */
export function safeLink(url: string): string | null {
  const address = url.trim()
  return /^(?:https?|mailto):/i.test(address) && URL.canParse(address) ? new URL(address).href : null
}
