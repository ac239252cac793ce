import { type Kysely, type Selectable, sql } from 'kysely'
import * as z from 'zod'
import {
  GroupRule,
  MAX_PROVIDERS,
  type ProviderDraft,
  ProviderSettings,
} from '#shared/identity/accounts/sign-on-providers.ts'
import { toJson } from '../../../../platform/db/json.ts'
import type { Tables } from '../../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Row = Selectable<Tables['sign_on_providers']>

/** A stored provider. Its secret is sealed. */
export type ProviderRow = Omit<Row, 'settings' | 'rules'> & {
  settings: ProviderSettings
  rules: GroupRule[]
}

export async function findProvider(db: Db, id: string): Promise<ProviderRow | null> {
  const row = await db.selectFrom('sign_on_providers').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? parse(row) : null
}

/** Returns the provider under a lock that lasts as long as the transaction; null without one. */
export async function lockProvider(trx: Db, id: string): Promise<ProviderRow | null> {
  const query = trx.selectFrom('sign_on_providers').selectAll().where('id', '=', id).forUpdate()
  const row = await query.executeTakeFirst()
  return row ? parse(row) : null
}

/** Returns all stored providers, oldest first. */
export async function listProviderRows(db: Db): Promise<ProviderRow[]> {
  const query = db.selectFrom('sign_on_providers').selectAll().orderBy('created_at').orderBy('id')
  return (await query.limit(MAX_PROVIDERS).execute()).map(parse)
}

/** Returns the ids and names of the providers in use, oldest first. Directories have no button. */
export async function listOffered(db: Db): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('sign_on_providers')
    .select(['id', 'name'])
    .where('is_enabled', '=', true)
    .where('id', 'not like', 'ldap-%')
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_PROVIDERS)
    .execute()
}

/** Returns the names of stored providers by id. */
export async function listProviderNames(db: Db): Promise<Map<string, string>> {
  const query = db.selectFrom('sign_on_providers').select(['id', 'name']).orderBy('id').limit(MAX_PROVIDERS)
  return new Map((await query.execute()).map(({ id, name }) => [id, name]))
}

/** Returns the number of stored providers, under a lock against concurrent additions. */
export async function countProviders(trx: Db): Promise<number> {
  await sql`lock table sign_on_providers in share row exclusive mode`.execute(trx)
  const row = await trx
    .selectFrom('sign_on_providers')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

type Saved = Omit<ProviderDraft, 'secret'> & { id: string; sealed: string | null; secretSetAt: Date | null }

/** Inserts a provider, or replaces it. */
export async function putProvider(trx: Db, { id, sealed, secretSetAt, ...draft }: Saved, now: Date) {
  const values = {
    ...{ name: draft.name, is_enabled: draft.is_enabled, trusts_addresses: draft.trusts_addresses },
    ...{ settings: toJson(draft.settings), rules: toJson(draft.rules) },
    ...{ secret_sealed: sealed, secret_set_at: secretSetAt, changed_at: now },
  }
  await trx
    .insertInto('sign_on_providers')
    .values({ id, ...values, created_at: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ ...values, revision: sql<string>`gen_random_uuid()` }),
    )
    .execute()
}

/** Deletes a provider with the connections of its people. */
export async function deleteProvider(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('identities').where('provider', '=', id).execute()
  await trx.deleteFrom('sign_on_states').where('provider', '=', id).execute()
  await trx.deleteFrom('sign_on_providers').where('id', '=', id).execute()
}

export type ProviderPeople = { people: number; alone: number }

/** Returns how many people sign in with each stored provider, and how many of them have no password, passkey or other service. */
export async function countPeople(db: Db): Promise<Map<string, ProviderPeople>> {
  const { rows } = await sql<ProviderPeople & { provider: string }>`
    select i.provider, count(*)::int as people, count(*) filter (where u.password_hash is null
      and not exists (select from passkeys p where p.user_id = u.id)
      and not exists (select from identities o where o.user_id = u.id and o.provider <> i.provider))::int as alone
    from identities i join users u on u.id = i.user_id
    where i.provider in (select id from sign_on_providers)
    group by i.provider order by i.provider limit ${MAX_PROVIDERS}`.execute(db)
  return new Map(rows.map(({ provider, ...counts }) => [provider, counts]))
}

const Rules = z.array(GroupRule)

function parse(row: Row): ProviderRow {
  return { ...row, settings: ProviderSettings.parse(row.settings), rules: Rules.parse(row.rules) }
}
