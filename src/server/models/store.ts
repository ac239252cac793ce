import type { ConnectionKind } from '#shared/connections/connections.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/db.ts'
import type { Secrets } from '../secrets.ts'
import type { Configured, Unruled } from './configured.ts'
import { connectionBaseUrl, fromEnvironment, openKey } from './configured.ts'
import { ruledBy } from './rules/ruled-by.ts'
import { readRules } from './rules/rules-store.ts'

export type Override = {
  offered: boolean | null
  input_price: number | null
  output_price: number | null
  context_tokens: number | null
  fallback_id: string | null
}

export async function readOverrides(db: Database): Promise<Map<string, Override>> {
  const rows = await db.selectFrom('model_overrides').selectAll().orderBy('model_id').limit(10_000).execute()
  return new Map(rows.map((row) => [row.model_id, row]))
}

/** The model an administrator named to be asked in place of this one, if it still has one. */
export async function readFallback(db: Database, modelId: string): Promise<string | null> {
  const row = await db
    .selectFrom('model_overrides')
    .select('fallback_id')
    .where('model_id', '=', modelId)
    .executeTakeFirst()
  return row?.fallback_id ?? null
}

type Source = { db: Database; config: Config; secrets: Secrets }

/** All configured providers, those of the environment first. */
export async function readConfigured({ db, config, secrets }: Source): Promise<Configured[]> {
  const stored = db
    .selectFrom('model_connections')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(200)
    .execute()
  const [rows, rules] = await Promise.all([stored, readRules(db)])
  const given = fromEnvironment(config)
  const written = rows.map((row): Unruled => {
    const kind = row.kind as ConnectionKind
    const { id, provider, name, enabled, updated_at } = row
    const { api_key, problem } = openKey(secrets, row.api_key_sealed)
    const isHidden = given.some((other) => other.provider === provider)
    return {
      id,
      provider,
      name,
      kind,
      base_url: connectionBaseUrl(kind, row.base_url),
      api_key,
      source: 'database',
      fixed_by: [],
      enabled,
      problem: isHidden ? 'The environment sets this provider too, and comes first.' : problem,
      updated_at,
    }
  })
  return [...given, ...written].map((one) => ruledBy(rules, secrets, one))
}
