import type { Platform } from '../../platform/platform.ts'
import { listCitedAddresses, listWrittenTexts } from './known-address-store.ts'

/** An address in a text, up to white space or a character that no address contains. */
const ADDRESS = /https?:\/\/[^\s<>"'`\\{}|^]{1,2000}/gi
/** Characters after an address that belong to the sentence. */
const TRAILING = new Set('.,;:!?)]}»”’*_~')

/**
 * Tells whether the user wrote this exact address in the chat, or a search returned or an answer cites it. A model may encode text of the
 * chat in an address; fetching that address would leak it.
 */
export async function isKnownAddress(
  { db }: Pick<Platform, 'db'>,
  sessionId: string,
  address: string,
): Promise<boolean> {
  const wanted = withoutPlace(address)
  const { hostname } = new URL(address)
  const [texts, cited] = await Promise.all([
    listWrittenTexts(db, sessionId, hostname),
    listCitedAddresses(db, sessionId, hostname),
  ])
  if (cited.some((url) => withoutPlace(url) === wanted)) return true
  return texts.some((text) => addressesIn(text).some((url) => url === wanted))
}

/** Returns an address without its fragment, which is never sent; empty when it is not a URL. */
export function withoutPlace(address: string): string {
  if (!URL.canParse(address)) return ''
  const url = new URL(address)
  url.hash = ''
  return url.href
}

/** Returns the addresses in a text, each with and without trailing punctuation. */
function addressesIn(text: string): string[] {
  return (text.match(ADDRESS) ?? []).flatMap((found) => {
    return [found, withoutTrailing(found)].map(withoutPlace)
  })
}

function withoutTrailing(address: string): string {
  const signs = [...address]
  return signs.slice(0, signs.findLastIndex((sign) => !TRAILING.has(sign)) + 1).join('')
}
