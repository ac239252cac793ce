/** The address of a link that may stand in a file: a page or a mail address; else null. */
export function safeLink(url: string): string | null {
  const address = url.trim()
  return /^(?:https?|mailto):/i.test(address) && URL.canParse(address) ? new URL(address).href : null
}
