import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

type Db = Kysely<Tables>

/** Columns that store sealed texts. The key of web push is not among them, because a lost one is replaced. */
export const places = [
  ...['audit_stream.secret', 'audit_stream.previous_secret'],
  ...['code_apps.secret', 'erasures.email', 'mail_settings.password_sealed', 'model_keys.api_key_sealed'],
  ...['model_connections.api_key_sealed', 'own_tool_accounts.sealed', 'own_tool_clients.sealed'],
  ...['own_tool_secrets.sealed', 'service_connections.refresh_token', 'share_links.token', 'webhooks.secret'],
  ...['chat_masking.values_sealed', 'databases.password_sealed', 'trigger_secrets.secret'],
  ...['connectors.secrets', 'connector_sign_ins.sealed', 'connector_watches.secret', 'file_picks.sealed'],
  ...['personal_accounts.sealed', 'channels.secret_sealed', 'channels.token_sealed'],
  ...['saml_keys.key_sealed', 'sign_on_providers.secret_sealed', 'sign_on_sessions.hint_sealed'],
] as const

const SAMPLES_PER_PLACE = 20

/** Returns the sentence sealed at the first start; null before that. */
export async function readCheck(db: Db): Promise<string | null> {
  const row = await db.selectFrom('key_checks').select('sealed').executeTakeFirst()
  return row?.sealed ?? null
}

/** Stores the sentence unless another process already has. Returns the stored one. */
export async function keepCheck(db: Db, sealed: string): Promise<string> {
  await db
    .insertInto('key_checks')
    .values({ sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readCheck(db)) ?? sealed
}

/** Replaces the sentence unless it has changed since it was read. */
export async function replaceCheck(db: Db, sealed: string, earlier: string): Promise<void> {
  await db.updateTable('key_checks').set({ sealed }).where('sealed', '=', earlier).execute()
}

/** Returns a few sealed texts from each column that has any. */
export async function sampleSealed(db: Db): Promise<string[]> {
  const parts = places.map((place) => {
    const column = sql.ref(place)
    const table = sql.table(place.split('.', 1)[0] ?? '')
    return sql`(select ${column} as sealed from ${table} where ${column} is not null limit ${sql.lit(SAMPLES_PER_PLACE)})`
  })
  const { rows } = await sql<{ sealed: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return rows.map(({ sealed }) => sealed)
}
