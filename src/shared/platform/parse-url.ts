/** Returns the address, or null when it is none. Safari 17 has no `URL.parse`. */
export function parseUrl(address: string, base?: string): URL | null {
  return URL.canParse(address, base) ? new URL(address, base) : null
}
