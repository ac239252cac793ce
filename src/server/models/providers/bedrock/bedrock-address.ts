import { readAddress } from '../../models/addresses/read-address.ts'
import type { Reached, TypedPlace } from '../../models/provider/provider.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'

const USUAL = /^https:\/\/bedrock-runtime\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/

/** Returns the region of an endpoint. Empty if it has characters that no region has, because it becomes part of a host name. */
export function regionOf({ options }: Pick<Endpoint, 'options'> | Pick<TypedPlace, 'options'>): string {
  const region = options?.region?.trim() ?? ''
  return /^[a-z0-9-]{1,40}$/.test(region) ? region : ''
}

/** Returns the typed address, otherwise Bedrock's address in the region. */
export function reachBedrock(place: TypedPlace): Reached {
  const region = regionOf(place)
  const typed = place.base_url && !USUAL.test(place.base_url) ? readAddress(place.base_url) : ''
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  const usual = region && `https://bedrock-runtime.${region}.${domain}`
  return { base_url: region && (typed || usual), api_version: null, deployment: null }
}

/** Returns the typed address; empty if it is the region's own. */
export const showBedrock = (base_url: string): string => (USUAL.test(base_url) ? '' : base_url)

/** Returns the address of the service that lists models. A separate service runs them. */
export const controlBase = (base_url: string): string => base_url.replace('bedrock-runtime', 'bedrock')
