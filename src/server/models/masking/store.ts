import { type Kysely, sql } from 'kysely'
import type { CompanyMasking, MaskingMode, MaskKind } from '#shared/models/masking/masking.ts'
import { isPresent } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Replies whose counts are listed. */
const MAX_REPLIES = 1_000

/** The setting of one company of a person, with the person's choice. */
export type Policy = CompanyMasking & { is_chosen: boolean }

/** Returns what the companies of a person replace in a chat. A company without a setting replaces nothing and is left out. */
export async function findPolicies(db: Db, userId: string, sessionId: string | null): Promise<Policy[]> {
  const { rows } = await sql<Policy>`
    select c.mode, c.kinds, c.connections, coalesce(
      (select is_on from chat_masking where session_id = ${sessionId}::uuid),
      (select is_on from person_masking where user_id = ${userId}), false) as is_chosen
    from company_masking c join company_members m on m.company_id = c.company_id
    where m.user_id = ${userId} order by c.company_id limit 100`.execute(db)
  return rows
}

/** Returns what companies always replace, without the choices of people. */
export async function findAllPolicies(db: Db): Promise<Policy[]> {
  const { rows } = await sql<Policy>`
    select mode, kinds, connections, false as is_chosen from company_masking order by company_id limit 1000`.execute(
    db,
  )
  return rows
}

export async function findCompanyMasking(db: Db, companyId: string): Promise<CompanyMasking | null> {
  const { rows } = await sql<CompanyMasking>`
    select mode, kinds, connections from company_masking where company_id = ${companyId} limit 1`.execute(db)
  return rows[0] ?? null
}

/** Locks a company and returns its name; undefined when it is unknown. */
export async function lockCompanyForMasking(trx: Db, id: string): Promise<string | undefined> {
  const row = trx.selectFrom('companies').select('name').where('id', '=', id).forUpdate()
  return (await row.executeTakeFirst())?.name
}

export async function upsertCompanyMasking(
  trx: Db,
  companyId: string,
  {
    mode,
    kinds,
    connections,
  }: { mode: MaskingMode; kinds: MaskKind[]; connections: Record<string, boolean> },
): Promise<void> {
  await sql`
    insert into company_masking (company_id, mode, kinds, connections)
    values (${companyId}, ${mode}, ${kinds}, ${JSON.stringify(connections)})
    on conflict (company_id) do update
    set mode = excluded.mode, kinds = excluded.kinds, connections = excluded.connections`.execute(trx)
}

/** Stores what a person chose for a chat, and for new ones. */
export async function storeChoice(trx: Db, userId: string, sessionId: string, is_on: boolean): Promise<void> {
  await sql`
    insert into chat_masking (session_id, is_on) values (${sessionId}, ${is_on})
    on conflict (session_id) do update set is_on = excluded.is_on`.execute(trx)
  await sql`
    insert into person_masking (user_id, is_on) values (${userId}, ${is_on})
    on conflict (user_id) do update set is_on = excluded.is_on`.execute(trx)
}

/** Returns the sealed values of a chat; null when it has none. */
export async function findSealed(db: Db, sessionId: string): Promise<string | null> {
  const row = db.selectFrom('chat_masking').select('values_sealed').where('session_id', '=', sessionId)
  return (await row.executeTakeFirst())?.values_sealed ?? null
}

/**
 * Locks the values of a chat until the end of the transaction, so that no two processes give the same number, and returns them sealed.
 * Returns undefined when there is no such chat.
 */
export async function lockSealed(trx: Db, sessionId: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ values_sealed: string | null }>`
    insert into chat_masking (session_id) select id from sessions where id = ${sessionId}
    on conflict (session_id) do update set session_id = excluded.session_id
    returning values_sealed`.execute(trx)
  return rows[0]?.values_sealed
}

export async function updateSealed(trx: Db, sessionId: string, values_sealed: string): Promise<void> {
  await trx.updateTable('chat_masking').set({ values_sealed }).where('session_id', '=', sessionId).execute()
}

/** Adds placeholders to those of a reply. Does nothing when the reply is gone. */
export async function addMasked(db: Db, messageId: string, placeholders: readonly string[]): Promise<void> {
  await sql`
    insert into masked_replies as old (message_id, session_id, placeholders)
    select id, session_id, ${[...placeholders]}::text[] from messages where id = ${messageId}
    on conflict (message_id) do update
    set placeholders = old.placeholders
      || array(select unnest(excluded.placeholders) except select unnest(old.placeholders))
    where not old.placeholders @> excluded.placeholders`.execute(db)
}

type MaskedReply = { message_id: string; placeholders: string[] }

/** Returns the placeholders of the newest replies of a chat; with `askedBy`, of those that this person asked for. */
export async function findMasked(db: Db, sessionId: string, askedBy?: string): Promise<MaskedReply[]> {
  const isTheirs = askedBy === undefined ? sql`true` : isAskedBy(askedBy)
  const { rows } = await sql<MaskedReply>`
    select r.message_id, r.placeholders from masked_replies r join messages m on m.id = r.message_id
    where r.session_id = ${sessionId} and ${isTheirs} order by m.created_at desc, m.id limit ${MAX_REPLIES}`.execute(
    db,
  )
  return rows
}

/** Returns the placeholders of a reply, and whether a person asked for it; null when it has none or is of another chat. */
export async function findMaskedOf(
  db: Db,
  { userId, sessionId, messageId }: { userId: string; sessionId: string; messageId: string },
): Promise<{ placeholders: string[]; is_theirs: boolean } | null> {
  const { rows } = await sql<{ placeholders: string[]; is_theirs: boolean }>`
    select r.placeholders, ${isAskedBy(userId)} as is_theirs from masked_replies r
    where r.message_id = ${messageId} and r.session_id = ${sessionId}`.execute(db)
  return rows[0] ?? null
}

const isAskedBy = (userId: string) =>
  sql<boolean>`exists (select from runs where runs.message_id = r.message_id and runs.user_id = ${userId})`

/** Returns those of the values that are written in messages of a chat. */
export async function findWritten(
  db: Db,
  sessionId: string,
  values: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ value: string }>`
    select value from unnest(${[...values]}::text[]) as value
    where exists (select from messages m where m.session_id = ${sessionId} and position(value in m.content) > 0)
    order by value limit ${values.length}`.execute(db)
  return new Set(rows.map(({ value }) => value))
}

const PAGE_CHATS = 100

/** Returns a page of the chats of a person that have replaced values. */
export async function findMaskedChats(db: Db, userId: string, after: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from sessions s join chat_masking c on c.session_id = s.id
    where s.user_id = ${userId} and c.values_sealed is not null and s.origin <> 'temporary' and ${isPresent('session', 's')}
      and (${after}::uuid is null or s.id > ${after}::uuid)
    order by s.id limit ${PAGE_CHATS}`.execute(db)
  return rows.map(({ id }) => id)
}
