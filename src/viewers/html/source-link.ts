/** Returns the origin of a document as an address that a browser can open. */
export function sourceLink(url: string): string {
  if (/^https?:/i.test(url)) return url
  return url.startsWith('//') ? `https:${url}` : `https://${url}`
}
