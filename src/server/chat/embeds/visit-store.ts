import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Visit } from '#shared/chat/embeds/embeds.ts'
import { defaultTitle } from '#shared/chat/sessions/titles.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { userColumns } from '../../identity/accounts/accounts.ts'
import type { Visitor } from '../../platform/access/access.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'

type Db = Kysely<Tables>
type Deps = Pick<Platform, 'db' | 'clock' | 'config'>

const TOUCH_MS = 60_000
/** Maximum chats per visitor; a new visit starts over. */
const MAX_CHATS = 100

/** Selects active embed tokens with their owners. */
function selectOpen({ db, clock, config }: Deps) {
  return db
    .selectFrom('access_keys as key')
    .innerJoin('embeds', 'embeds.key_id', 'key.id')
    .innerJoin('users', 'users.id', 'key.user_id')
    .select(userColumns(config))
    .select(['embeds.key_id', 'embeds.assistant_id', 'embeds.origins', 'embeds.in_extension'])
    .where('key.kind', '=', 'embed')
    .where('key.revoked_at', 'is', null)
    .where('key.expires_at', '>', clock.now())
}

function toOpen<Row extends Kept>({ key_id, assistant_id, origins, in_extension, ...payer }: Row) {
  return { key_id, assistant_id, origins, in_extension, payer }
}
type Kept = { key_id: string; assistant_id: string; origins: string[]; in_extension: boolean }

export type OpenEmbed = NonNullable<Awaited<ReturnType<typeof findEmbed>>>

/** Returns the target of a token by its hash, or null when it is not active. */
export async function findEmbed(deps: Deps, tokenHash: Buffer) {
  const row = await selectOpen(deps).where('key.secret_hash', '=', tokenHash).executeTakeFirst()
  return row ? toOpen(row) : null
}

/** Returns the newest active embed token of an assistant; null without one. */
export async function findEmbedOf(deps: Deps, assistantId: string) {
  const row = await selectOpen(deps)
    .where('embeds.assistant_id', '=', assistantId)
    .orderBy('key.created_at', 'desc')
    .orderBy('key.id')
    .limit(1)
    .executeTakeFirst()
  return row ? toOpen(row) : null
}

/** Returns whether a visitor came by a token. */
export async function isVisitorOf(db: Db, visitorId: string, keyId: string): Promise<boolean> {
  const row = await db
    .selectFrom('embed_visitors')
    .select('id')
    .where('id', '=', visitorId)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns a visitor by the hash of their bearer token, with the embed token's target; null when no longer valid. */
export async function findVisitor(deps: Deps, tokenHash: Buffer) {
  const row = await selectOpen(deps)
    .innerJoin('embed_visitors as visitor', 'visitor.key_id', 'key.id')
    .select(['visitor.id as visitor_id', 'visitor.language as visitor_language', 'visitor.last_seen_at'])
    .where('visitor.secret_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!row) return null
  const { visitor_id, visitor_language, last_seen_at, ...open } = row
  return { ...toOpen(open), visitor_id, visitor_language, last_seen_at }
}

/** Updates the last use of a visitor and their token, at most once a minute. */
export async function touchVisitor(
  { db, clock }: Deps,
  { id, key_id }: Visitor['visitor'],
  seenAt: Date,
  address: string,
): Promise<void> {
  const now = clock.now()
  if (now.getTime() - seenAt.getTime() < TOUCH_MS) return
  await sql`with seen as (update embed_visitors set last_seen_at = ${now} where id = ${id})
    update access_keys set last_used_at = ${now}, last_address = ${address} where id = ${key_id}`.execute(db)
}

/** Inserts a visitor of a token and returns the id. */
export async function insertVisitor(
  db: Db,
  { keyId, hash, language, at }: { keyId: string; hash: Buffer; language: Language; at: Date },
): Promise<string> {
  const visitor = { key_id: keyId, secret_hash: hash, language, last_seen_at: at, day: dayOf(at) }
  const row = await db.insertInto('embed_visitors').values(visitor).returning('id').executeTakeFirstOrThrow()
  await db.updateTable('access_keys').set({ last_used_at: at }).where('id', '=', keyId).execute()
  return row.id
}

/** Returns the assistant as its visitor sees it. */
export async function readVisited(
  db: Db,
  visitorId: string,
  now: Date,
): Promise<{ visit: Omit<Visit, 'brand'>; companyId: string | null }> {
  const row = await db
    .selectFrom('embed_visitors as visitor')
    .innerJoin('embeds', 'embeds.key_id', 'visitor.key_id')
    .innerJoin('assistants', 'assistants.id', 'embeds.assistant_id')
    .select(['assistants.name', 'assistants.description', 'assistants.icon', 'assistants.example_prompts'])
    .select([house('name').as('house'), house('id').as('house_id'), leftOn(now).as('messages_left')])
    .where('visitor.id', '=', visitorId)
    .executeTakeFirstOrThrow()
  const { house: name, house_id: companyId, messages_left, ...assistant } = row
  const shown = { ...assistant, example_prompts: assistant.example_prompts as string[] }
  return { visit: { assistant: shown, house: name, messages_left }, companyId }
}

/** Selects the company the assistant was shared with first; embeds appear in its name. */
const house = (column: 'name' | 'id') => sql<
  string | null
>`(select ${sql.ref(`company.${column}`)} from assistant_shares share join companies company on company.id = share.company_id
  where share.assistant_id = assistants.id order by share.created_at, company.id limit 1)`

const leftOn = (now: Date) => sql<number>`greatest(0, embeds.messages_a_day
  - case when visitor.day = ${dayOf(now)}::date then visitor.messages else 0 end)::int`

/** Counts a visitor's message. Returns false at the token's daily limit (UTC). */
export async function takeMessage(trx: Db, visitorId: string, now: Date): Promise<boolean> {
  const today = dayOf(now)
  const { numAffectedRows } = await sql`
    update embed_visitors v set day = ${today}::date, messages = case when v.day = ${today}::date then v.messages + 1 else 1 end
    from embeds e where v.id = ${visitorId} and e.key_id = v.key_id
      and (v.day <> ${today}::date or v.messages < e.messages_a_day)`.execute(trx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Inserts a visitor's chat, owned by the token's owner, unless the visitor has the one with this id already. @throws AppError `conflict` at the limit */
export async function insertVisitedChat(
  db: Db,
  userId: string,
  visitor: Visitor['visitor'],
  id: string = randomUUID(),
): Promise<string> {
  const metadata = toJson({ assistant_id: visitor.assistant_id })
  const { numAffectedRows } = await sql`
    insert into sessions (id, user_id, visitor_id, origin, title, title_source, session_metadata)
    select ${id}, ${userId}, ${visitor.id}, 'embed', ${defaultTitle(id)}, 'user', ${metadata}::jsonb
    where (select count(*) from sessions where visitor_id = ${visitor.id} and id <> ${id}) < ${MAX_CHATS}
    on conflict (id) do update set updated_at = sessions.updated_at where sessions.visitor_id = excluded.visitor_id`.execute(
    db,
  )
  if ((numAffectedRows ?? 0n) === 0n)
    throw new AppError('conflict', 'You have begun many chats here. Go on with the one that is open.')
  return id
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
