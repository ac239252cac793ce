import type { ConnectionKind, Entra } from '#shared/models/connections/connections.ts'
import type { Config } from '../../platform/config/config.ts'
import { givenOf } from '../../platform/config/fixed-settings.ts'
import { SecretError, type Secrets } from '../../platform/secrets.ts'
import { azureBase, completeAddress, deploymentOf, isAzure, readAzureResource } from './addresses/azure.ts'
import { readAddress } from './addresses/read-address.ts'
import type { PoolKey } from './rules/keys.ts'
import type { ConnectionLimits } from './rules/rules-store.ts'
import type { Endpoint } from './wire/dialect.ts'

/** A provider that may be called: from the environment (read-only) or from the database. */
export type Configured = {
  id: string
  /** The part before the slash of its models' ids. */
  provider: string
  name: string
  kind: ConnectionKind
  /** The base address of calls: the typed address, normalized. */
  base_url: string
  key_header: Endpoint['key_header']
  /** Model ids typed by hand, as the provider names them. */
  model_ids: string[]
  api_version: string | null
  entra: Entra | null
  /** The one that stands in the connection itself. */
  api_key: string | null
  /** All that may be used, that one first. */
  keys: PoolKey[]
  limits: ConnectionLimits
  source: 'environment' | 'database'
  /** The variables of the environment it is made of. */
  fixed_by: string[]
  enabled: boolean
  /** Why it cannot be used although it is enabled, as a sentence. */
  problem: string | null
  updated_at: Date | null
}

const defaultBaseUrls = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  cohere: 'https://api.cohere.com/v2',
}
const ownBaseUrls: Partial<Record<ConnectionKind, string>> = defaultBaseUrls

/** The stored address and options of a provider. */
export type Place = Pick<Configured, 'kind' | 'api_version' | 'entra' | 'model_ids'> & {
  base_url: string | null
}

/**
 * Where a provider is called and how its key is sent. `base_url` is empty when none was given and none is known. What is answered
 * may be given again.
 */
export function reach({
  kind,
  base_url: given,
  api_version,
  model_ids,
  entra,
}: Place): Pick<Configured, 'kind' | 'base_url' | 'key_header' | 'api_version' | 'entra' | 'model_ids'> {
  const address = given || ownBaseUrls[kind] || ''
  const resource = kind === 'azure' && address ? readAzureResource(address, api_version) : null
  const base_url = resource ? azureBase(resource) : completeAddress(readAddress(address))
  const isKeyed = resource !== null || (['openai', 'compatible'].includes(kind) && isAzure(base_url))
  const deployment = resource ? resource.deployment : deploymentOf(base_url)
  const named = deployment && !model_ids.includes(deployment) ? [deployment, ...model_ids] : model_ids
  return {
    ...{ kind, base_url, key_header: isKeyed ? 'api-key' : undefined },
    ...{
      api_version: resource?.api_version ?? null,
      entra: kind === 'azure' ? entra : null,
      model_ids: named,
    },
  }
}

/** A key sealed by another installation must not take the other connections along. */
export function openKey(secrets: Secrets, sealed: string | null) {
  try {
    return { api_key: sealed === null ? null : secrets.open(sealed), problem: null }
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    return { api_key: null, problem: error.message }
  }
}

/** A provider before its rules are known: the further keys and the limits administrators gave it. */
export type Unruled = Omit<Configured, 'keys' | 'limits'>

/** The providers that have a key, or an address of their own, in the environment. */
export function fromEnvironment(config: Config): Unruled[] {
  const { OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_BASE_URL, ATRIUM_COMPATIBLE_NAME: own } = config
  const found = [
    {
      ...{ kind: 'openai' as const, provider: 'openai', name: 'OpenAI' },
      ...{ base_url: OPENAI_BASE_URL ?? defaultBaseUrls.openai, api_key: config.OPENAI_API_KEY },
      fixed_by: givenOf(config, 'OPENAI_API_KEY', 'OPENAI_BASE_URL'),
    },
    {
      ...{ kind: 'anthropic' as const, provider: 'anthropic', name: 'Anthropic' },
      ...{ base_url: ANTHROPIC_BASE_URL ?? defaultBaseUrls.anthropic, api_key: config.ANTHROPIC_API_KEY },
      fixed_by: givenOf(config, 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'),
    },
    {
      ...{ kind: 'google' as const, provider: 'google', name: 'Google' },
      ...{ base_url: GOOGLE_BASE_URL ?? defaultBaseUrls.google, api_key: config.GOOGLE_API_KEY },
      fixed_by: givenOf(config, 'GOOGLE_API_KEY', 'GOOGLE_BASE_URL'),
    },
    {
      ...{ kind: 'compatible' as const, provider: own, name: own },
      ...{ base_url: config.ATRIUM_COMPATIBLE_URL ?? '', api_key: config.ATRIUM_COMPATIBLE_KEY },
      // A key is of no use without an address.
      fixed_by: config.ATRIUM_COMPATIBLE_URL
        ? givenOf(config, 'ATRIUM_COMPATIBLE_URL', 'ATRIUM_COMPATIBLE_KEY')
        : [],
    },
  ]
  const ownIds = config.ATRIUM_COMPATIBLE_MODELS
  return found
    .map((one) => ({ ...one, model_ids: one.kind === 'compatible' ? ownIds : [] }))
    .filter(({ fixed_by }) => fixed_by.length > 0)
    .map(({ base_url, api_key, ...named }) => ({
      ...named,
      ...reach({ ...named, base_url, api_version: null, entra: null }),
      ...{ id: `environment-${named.provider}`, api_key: api_key ?? null },
      ...{ source: 'environment', enabled: true, problem: null, updated_at: null },
    }))
}
