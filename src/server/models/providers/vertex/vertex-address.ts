import { readAddress } from '../../models/addresses/read-address.ts'
import type { Reached, TypedPlace } from '../../models/provider/provider.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'

const USUAL = /^https:\/\/(?:[a-z0-9-]+-)?aiplatform(?:\.[a-z]+\.rep)?\.googleapis\.com(?:\/|$)/
/** The path that may follow the address of a server. */
const PATH = /\/v1(?:beta1)?(?:\/(?:projects|publishers)\/[\s\S]*)?$/

/**
 * Returns the base address of a project in a location, at the typed server, otherwise at Google. An API key implies its project, so its
 * address names none.
 */
export function reachVertex(place: TypedPlace): Reached {
  const typed = place.base_url && !USUAL.test(place.base_url) ? readAddress(place.base_url) : ''
  const server = typed ? typed.replace(PATH, '') : serverIn(locationOf(place))
  const base_url = inProject({ base_url: `${server}/v1`, options: place.options }, place.options.project)
  return { base_url, api_version: null, deployment: null }
}

/** Returns the typed address; empty if it is Google's. */
export const showVertex = (base_url: string): string =>
  USUAL.test(base_url) ? '' : base_url.replace(PATH, '')

/** Returns the address within a project; unchanged if it already names one. */
export function inProject(
  endpoint: Pick<Endpoint, 'base_url' | 'options'>,
  project: string | undefined,
): string {
  const { base_url } = endpoint
  if (!project || base_url.includes('/projects/')) return base_url
  return `${base_url}/projects/${encodeURIComponent(project)}/locations/${locationOf(endpoint)}`
}

/** Returns the address that lists models, which is the same for all projects. */
export const listBase = (base_url: string): string => `${base_url.replace(PATH, '')}/v1beta1`

function locationOf({ options }: Pick<Endpoint, 'options'>): string {
  const location = options?.location?.trim() ?? ''
  return /^[a-z0-9-]{1,40}$/.test(location) ? location : 'global'
}

function serverIn(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com'
  return /^(?:eu|us)$/.test(location)
    ? `https://aiplatform.${location}.rep.googleapis.com`
    : `https://${location}-aiplatform.googleapis.com`
}
