import { readAddress } from '../../models/addresses/read-address.ts'
import type { Reached, TypedPlace } from '../../models/provider/provider.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'

const USUAL = /^https:\/\/bedrock-runtime\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/

/** The region of an endpoint, which becomes part of addresses; empty when it has a sign that no region has. */
export function regionOf({ options }: Pick<Endpoint, 'options'> | Pick<TypedPlace, 'options'>): string {
  const region = options?.region?.trim() ?? ''
  return /^[a-z0-9-]{1,40}$/.test(region) ? region : ''
}

/** Bedrock's address in a region, unless one was typed. */
export function reachBedrock(place: TypedPlace): Reached {
  const region = regionOf(place)
  const typed = place.base_url && !USUAL.test(place.base_url) ? readAddress(place.base_url) : ''
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  const usual = region && `https://bedrock-runtime.${region}.${domain}`
  return { base_url: region && (typed || usual), api_version: null, deployment: null }
}

/** The typed address; none where it is the region's. */
export const showBedrock = (base_url: string): string => (USUAL.test(base_url) ? '' : base_url)

/** Where models are listed: a service apart from the one that runs them. */
export const controlBase = (base_url: string): string => base_url.replace('bedrock-runtime', 'bedrock')
