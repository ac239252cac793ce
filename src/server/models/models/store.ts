import type { Entra } from '#shared/models/connections/connections.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Configured, Unruled } from './configured.ts'
import { fromEnvironment, openKey, reach } from './configured.ts'
import { findProvider } from './provider/providers.ts'
import { ruledBy } from './rules/ruled-by.ts'
import { type Override, readConnections } from './rules/rules-store.ts'

/** Returns the fallback that an administrator set for a model, or null. */
export async function readFallback(db: Database, modelId: string): Promise<string | null> {
  const row = await db
    .selectFrom('model_overrides')
    .select('fallback_id')
    .where('model_id', '=', modelId)
    .executeTakeFirst()
  return row?.fallback_id ?? null
}

type Source = { db: Database; config: Config; secrets: Secrets }

/** Returns all configured providers, those of the environment first, and the overrides of models by id. */
export async function readConfigured({
  db,
  config,
  secrets,
}: Source): Promise<{ configured: Configured[]; overrides: Map<string, Override> }> {
  const { connections, overrides, rules } = await readConnections(db)
  const given = fromEnvironment(config)
  // A newer version may have stored kinds that this one does not know.
  const known = connections.filter(({ kind }) => findProvider(kind))
  const written = known.map((row): Unruled => {
    const { kind, id, provider, name, enabled, updated_at, model_ids, api_version } = row
    const entra = row.entra as Entra | null
    const options = row.options as Record<string, string>
    const { api_key, problem } = openKey(secrets, row.api_key_sealed)
    const isHidden = given.some((other) => other.provider === provider)
    return {
      id,
      provider,
      name,
      ...reach({ kind, base_url: row.base_url, api_version, entra, options, model_ids }),
      api_key,
      source: 'database',
      fixed_by: [],
      enabled,
      problem: isHidden ? 'The environment also defines this provider and takes precedence.' : problem,
      updated_at,
    }
  })
  return {
    configured: [...given, ...written].map((one) => ruledBy(rules, secrets, one)),
    overrides: new Map(overrides.map((one) => [one.model_id, one])),
  }
}
