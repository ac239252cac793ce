import type { ConnectionKind } from '#shared/models/connections/connections.ts'
import type { Config } from '../../platform/config/config.ts'
import { givenOf } from '../../platform/config/fixed-settings.ts'
import { SecretError, type Secrets } from '../../platform/secrets.ts'
import type { PoolKey } from './rules/keys.ts'
import type { MinuteLimits } from './rules/rules-store.ts'

/** A provider that may be called: from the environment (read-only) or from the database. */
export type Configured = {
  id: string
  /** The part before the slash of its models' ids. */
  provider: string
  name: string
  kind: ConnectionKind
  base_url: string
  /** The one that stands in the connection itself. */
  api_key: string | null
  /** All that may be used, that one first. */
  keys: PoolKey[]
  limits: MinuteLimits
  source: 'environment' | 'database'
  /** The variables of the environment it is made of. */
  fixed_by: string[]
  enabled: boolean
  /** Why it cannot be used although it is enabled, as a sentence. */
  problem: string | null
  updated_at: Date | null
}

const defaultBaseUrls: Record<Exclude<ConnectionKind, 'compatible'>, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  cohere: 'https://api.cohere.com/v2',
}

/** The address a provider is called at, without a slash at the end; empty when none was given and none is known. */
export function connectionBaseUrl(kind: ConnectionKind, given: string | null): string {
  return trimSlash(given || (kind === 'compatible' ? '' : defaultBaseUrls[kind]))
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
  return found
    .filter(({ fixed_by }) => fixed_by.length > 0)
    .map(({ base_url, api_key, ...named }) => ({
      ...named,
      ...{ id: `environment-${named.provider}`, base_url: trimSlash(base_url), api_key: api_key ?? null },
      ...{ source: 'environment', enabled: true, problem: null, updated_at: null },
    }))
}

const trimSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '')
