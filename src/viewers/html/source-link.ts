/** Where a document came from, as an address a browser opens. */
export function sourceLink(url: string): string {
  if (/^https?:/i.test(url)) return url
  return url.startsWith('//') ? `https:${url}` : `https://${url}`
}
