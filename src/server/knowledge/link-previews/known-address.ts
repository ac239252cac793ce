import type { Platform } from '../../platform/platform.ts'
import { listCitedAddresses, listWrittenTexts } from './known-address-store.ts'

/** An address in a text, up to white space or a sign that no address holds. */
const ADDRESS = /https?:\/\/[^\s<>"'`\\{}|^]{1,2000}/gi
/** Signs behind an address that belong to the sentence around it. */
const TRAILING = new Set('.,;:!?)]}»”’*_~')

/**
 * Whether the exact address stands in a chat in the words of a person, or among the pages a search returned or an answer cites. A
 * model may put words of the chat into an address of its own: asking for that address would send them away.
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

/** An address as it is asked for: the place on its page is never sent. Empty for what is no address. */
export function withoutPlace(address: string): string {
  if (!URL.canParse(address)) return ''
  const url = new URL(address)
  url.hash = ''
  return url.href
}

/** The addresses in a text, each as it stands and without the signs of the sentence behind it. */
function addressesIn(text: string): string[] {
  return (text.match(ADDRESS) ?? []).flatMap((found) => {
    return [found, withoutTrailing(found)].map(withoutPlace)
  })
}

function withoutTrailing(address: string): string {
  const signs = [...address]
  return signs.slice(0, signs.findLastIndex((sign) => !TRAILING.has(sign)) + 1).join('')
}
