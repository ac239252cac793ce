import type { ConnectionKind } from '#shared/connections/connections.ts'
import type { Config } from '../config.ts'
import { SecretError, type Secrets } from '../secrets.ts'

/** A provider that may be called: from the environment (read-only) or from the database. */
export type Configured = {
  id: string
  /** The part before the slash of its models' ids. */
  provider: string
  name: string
  kind: ConnectionKind
  base_url: string
  api_key: string | null
  source: 'environment' | 'database'
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

export function fromEnvironment(config: Config): Configured[] {
  const named = (
    kind: ConnectionKind,
    provider: string,
    name: string,
    base_url: string,
    api_key: string | undefined,
  ): Configured => ({
    id: `environment-${provider}`,
    provider,
    name,
    kind,
    base_url: trimSlash(base_url),
    api_key: api_key ?? null,
    source: 'environment',
    enabled: true,
    problem: null,
    updated_at: null,
  })
  const found: Configured[] = []
  if (config.OPENAI_API_KEY || config.OPENAI_BASE_URL) {
    found.push(
      named(
        'openai',
        'openai',
        'OpenAI',
        config.OPENAI_BASE_URL ?? defaultBaseUrls.openai,
        config.OPENAI_API_KEY,
      ),
    )
  }
  if (config.ANTHROPIC_API_KEY || config.ANTHROPIC_BASE_URL) {
    found.push(
      named(
        'anthropic',
        'anthropic',
        'Anthropic',
        config.ANTHROPIC_BASE_URL ?? defaultBaseUrls.anthropic,
        config.ANTHROPIC_API_KEY,
      ),
    )
  }
  if (config.GOOGLE_API_KEY || config.GOOGLE_BASE_URL) {
    found.push(
      named(
        'google',
        'google',
        'Google',
        config.GOOGLE_BASE_URL ?? defaultBaseUrls.google,
        config.GOOGLE_API_KEY,
      ),
    )
  }
  if (config.ATRIUM_COMPATIBLE_URL) {
    const name = config.ATRIUM_COMPATIBLE_NAME
    found.push(named('compatible', name, name, config.ATRIUM_COMPATIBLE_URL, config.ATRIUM_COMPATIBLE_KEY))
  }
  return found
}

const trimSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '')
