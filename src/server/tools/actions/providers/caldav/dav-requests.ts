import { AppError } from '#shared/platform/errors.ts'
import type { OutboundAnswer, OutboundRequest } from '#shared/platform/outbound.ts'
import type { CaldavSettings } from '#shared/tools/actions/personal-accounts.ts'
import {
  type Element,
  elementsOf,
  parseElements,
  textOf,
} from '../../../../knowledge/connectors/connectors.ts'
import type { Config } from '../../../../platform/config/config.ts'
import type { Platform } from '../../../../platform/platform.ts'

export type DavReach = {
  settings: CaldavSettings
  config: Pick<Config, 'ATRIUM_TOOLS_PRIVATE'>
  outbound: Platform['outbound']
  signal: AbortSignal
}

/** Sends a request with the sign-in. @throws AppError `unavailable` when there is no answer, and as `assertMayReceive` does */
export async function requestDav(
  reach: DavReach,
  url: string,
  { headers, ...request }: OutboundRequest,
): Promise<OutboundAnswer> {
  assertMayReceive(reach, url)
  const { settings, config, outbound, signal } = reach
  const sign = Buffer.from(`${settings.username}:${settings.password}`).toString('base64')
  return outbound.fetch(url, {
    ...{ ...request, signal, trusted: config.ATRIUM_TOOLS_PRIVATE, maxRedirects: 0 },
    headers: { authorization: `Basic ${sign}`, ...headers },
  })
}

/**
 * Lets the password go only to the origin of the settings, and unencrypted only to this machine or an origin that the administrator named.
 * @throws AppError `not_available`
 */
function assertMayReceive(
  { settings, config }: Pick<DavReach, 'settings' | 'config'>,
  address: string,
): void {
  const url = new URL(address)
  if (url.origin !== new URL(settings.url).origin)
    throw new AppError('not_available', `The calendar is at another address: ${url.origin}. Enter its own.`)
  const isNamed = config.ATRIUM_TOOLS_PRIVATE.some((one) => new URL(one).origin === url.origin)
  if (url.protocol !== 'https:' && !LOOPBACK.test(url.hostname) && !isNamed)
    throw new AppError('not_available', 'Enter an address with https, so that nobody can read the password.')
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Reads the responses to a PROPFIND or REPORT. @throws AppError `unavailable` */
export async function readResponses(answer: OutboundAnswer): Promise<Element[]> {
  const { host } = new URL(answer.url)
  if (answer.status === 401) throw new AppError('unavailable', `${host} refuses the sign-in.`)
  if (answer.status !== 207)
    throw new AppError('unavailable', `${host} does not answer as a calendar server (${answer.status}).`)
  return elementsOf(await parseElements(answer.text(), host), 'response')
}

const QUERY = `<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop>
<d:resourcetype/><d:current-user-principal/><c:calendar-home-set/><c:supported-calendar-component-set/></d:prop></d:propfind>`

/**
 * Returns the address of the calendar that an address names: itself, or the first calendar of its person at the same origin.
 * @throws AppError `not_available`
 */
export async function findCalendar(reach: DavReach): Promise<string> {
  let url = reach.settings.url
  for (let hop = 0; hop < 4; hop += 1) {
    const found = await look(reach, url, '0')
    const [itself] = found
    if (itself && isCalendar(itself)) return asFolder(url)
    const home = itself && hrefIn(itself, 'calendar-home-set')
    if (home) {
      const list = await look(reach, new URL(home, url).href, '1')
      const calendar = list.find(isCalendar)
      if (!calendar) break
      const address = asFolder(new URL(textOf(calendar, 'href'), url).href)
      assertMayReceive(reach, address)
      return address
    }
    const person = itself && hrefIn(itself, 'current-user-principal')
    if (!person) break
    url = new URL(person, url).href
  }
  throw new AppError(
    'not_available',
    `There is no calendar at ${new URL(reach.settings.url).host} under this address.`,
  )
}

const asFolder = (url: string) => (url.endsWith('/') ? url : `${url}/`)
const hrefIn = (element: Element, name: string) => {
  const [inside] = elementsOf(element, name)
  return inside ? textOf(inside, 'href') : ''
}
const isCalendar = (response: Element) =>
  elementsOf(response, 'resourcetype').some((type) => elementsOf(type, 'calendar').length > 0)

async function look(reach: DavReach, url: string, depth: '0' | '1'): Promise<Element[]> {
  const headers = { depth, 'content-type': 'application/xml' }
  return readResponses(await requestDav(reach, url, { method: 'PROPFIND', headers, body: QUERY }))
}
