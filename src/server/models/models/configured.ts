import type { Entra } from '#shared/models/connections/connections.ts'
import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import type { Config } from '../../platform/config/config.ts'
import { SecretError, type Secrets } from '../../platform/secrets.ts'
import { readAddress } from './addresses/read-address.ts'
import { providerKinds, providerOf } from './provider/providers.ts'
import type { PoolKey } from './rules/keys.ts'
import type { ConnectionLimits } from './rules/rules-store.ts'
import type { Endpoint } from './wire/dialect.ts'

/** A provider that may be called: from the environment (read-only) or from the database. */
export type Configured = {
  id: string
  /** The part of its models' ids before the slash. */
  provider: string
  name: string
  kind: ConnectionKind
  /** The base address of calls: the typed address, normalized. */
  base_url: string
  key_header?: Endpoint['key_header']
  /** Model ids typed by hand, as the provider names them. */
  model_ids: string[]
  api_version: string | null
  entra: Entra | null
  options: Readonly<Record<string, string>>
  /** The key stored in the connection itself. */
  api_key: string | null
  /** All usable keys, that one first. */
  keys: PoolKey[]
  limits: ConnectionLimits
  source: 'environment' | 'database'
  /** The environment variables that define it. */
  fixed_by: string[]
  enabled: boolean
  /** The reason why it cannot be used although it is enabled, as a sentence. */
  problem: string | null
  updated_at: Date | null
}

/** The stored address and options of a provider. */
export type Place = Pick<Configured, 'kind' | 'api_version' | 'entra' | 'model_ids' | 'options'> & {
  base_url: string | null
}

/**
 * Returns where a provider is called and how its key is sent. `base_url` is empty when none was given and none is known.
 * Applying it to its own result changes nothing.
 */
export function reach(place: Place): Pick<Configured, keyof Place | 'key_header'> {
  const { usual, reach: reachOwn } = providerOf(place.kind).address
  const base_url = place.base_url || usual || ''
  const plain = {
    base_url: readAddress(base_url),
    key_header: undefined,
    api_version: null,
    deployment: null,
  }
  const { deployment, ...reached } = reachOwn ? reachOwn({ ...place, base_url }) : plain
  const { kind, entra, options, model_ids } = place
  const isNew = deployment !== null && !model_ids.includes(deployment)
  return { ...reached, kind, entra, options, model_ids: isNew ? [deployment, ...model_ids] : model_ids }
}

/** Unseals a key. A key sealed by another installation is a problem of its connection only, so that the others stay usable. */
export function openKey(secrets: Secrets, sealed: string | null) {
  try {
    return { api_key: sealed === null ? null : secrets.open(sealed), problem: null }
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    return { api_key: null, problem: error.message }
  }
}

/** A provider without its rules: the further keys and the limits that administrators set. */
export type Unruled = Omit<Configured, 'keys' | 'limits'>

/** Returns the providers that have a key or an address in the environment. */
export function fromEnvironment(config: Config): Unruled[] {
  return providerKinds.flatMap((kind) => {
    const given = providerOf(kind).environment?.(config)
    if (!given || given.fixed_by.length === 0) return []
    const { base_url, model_ids, ...named } = given
    return {
      ...named,
      ...reach({ kind, base_url, model_ids, api_version: null, entra: null, options: {} }),
      ...{ id: `environment-${named.provider}`, source: 'environment' as const, enabled: true },
      ...{ problem: null, updated_at: null },
    }
  })
}
