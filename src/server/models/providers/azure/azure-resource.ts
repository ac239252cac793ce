import { readAddress } from '../../models/addresses/read-address.ts'
import type { Reached, TypedPlace } from '../../models/provider/provider.ts'

/** The version of Azure's API that has no date. */
const UNDATED = 'v1'
/** The version of the API of Foundry that serves all models at `/models`. */
const FOUNDRY = '2024-05-01-preview'

/** Hosts of Azure OpenAI and of Foundry; those of its serverless models take a bearer key. */
const RESOURCES = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/

/** Returns the address at which the resource of a connection is called. The function is idempotent: it accepts its own result. */
export function reachResource({ base_url, api_version }: TypedPlace): Reached {
  if (!base_url) return { base_url: '', api_version: null, deployment: null }
  const resource = readAzureResource(base_url, api_version)
  return {
    ...{ base_url: azureBase(resource), key_header: 'api-key' },
    ...{ api_version: resource.api_version, deployment: resource.deployment },
  }
}

/** Returns the address of the resource itself, given the address of its calls. */
export const showResource = (base_url: string): string => readAzureResource(base_url, null).base_url

/** Returns the address of an OpenAI-compatible server, which may be an Azure resource or a gateway in front of one. */
export function reachServer({ base_url: typed }: TypedPlace): Reached {
  const base_url = completeAddress(readAddress(typed ?? ''))
  const key_header = isAzure(base_url) ? ('api-key' as const) : undefined
  return { base_url, key_header, api_version: null, deployment: deploymentOf(base_url) }
}

/** Whether a server lists what can be called: an Azure resource lists deployable models rather than deployments. */
export const listsWhatItServes = (base_url: string): boolean =>
  !listsNoDeployments(base_url) && deploymentOf(base_url) === null

/** An Azure OpenAI resource as it is stored. */
type AzureResource = { base_url: string; api_version: string | null; deployment: string | null }

/** Returns whether a server expects its key in the `api-key` header: an Azure resource or a gateway in front of one. */
function isAzure(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname, pathname, searchParams } = new URL(address)
  if (RESOURCES.test(hostname)) return true
  return searchParams.has('api-version') || /\/openai\/deployments\//.test(pathname)
}

/** Returns whether this is an Azure server, whose list names deployable models rather than deployments. */
const listsNoDeployments = (address: string): boolean =>
  URL.canParse(address) && RESOURCES.test(new URL(address).hostname)

/** The deployment that an address leads to; null where it leads to none. */
function deploymentOf(address: string): string | null {
  const name = /\/deployments\/([^/?#]+)/.exec(address)?.[1]
  if (name === undefined) return null
  try {
    return decodeURIComponent(name)
  } catch {
    // A literal percent sign.
    return name
  }
}

/** Returns the base address of calls for a normalized address. A resource alone has no callable path. */
function completeAddress(address: string): string {
  const isResource = listsNoDeployments(address) && /^\/?$/.test(new URL(address).pathname)
  return isResource ? azureBase(readAzureResource(address, null)) : address
}

/** Reads whatever address of a resource was copied: the resource itself, a deployment, an operation of one. */
function readAzureResource(given: string, api_version: string | null): AzureResource {
  const url = new URL(readAddress(given))
  const version = api_version || url.searchParams.get('api-version')
  const isUndated = /\/openai\/v1$/.test(url.pathname)
  const path = url.pathname.replace(/\/openai(?:\/v1|\/deployments\/.*)?$/, '').replace(/\/$/, '')
  return {
    base_url: `${url.origin}${path}`,
    api_version: version || (isUndated ? UNDATED : null),
    deployment: deploymentOf(given),
  }
}

/** The base address of a resource for a version of the API: the one without a date when none is given. */
function azureBase({ base_url, api_version }: Omit<AzureResource, 'deployment'>): string {
  if (base_url.endsWith('/models')) return `${base_url}?api-version=${api_version ?? FOUNDRY}`
  if (!api_version || api_version === UNDATED) return `${base_url}/openai/v1`
  const place = /^\d/.test(api_version) ? '/openai' : '/openai/v1'
  return `${base_url}${place}?api-version=${encodeURIComponent(api_version)}`
}
