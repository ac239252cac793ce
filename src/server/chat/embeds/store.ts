import { type Kysely, sql } from 'kysely'
import { type Embed, MAX_EMBED_TOKENS, type NewEmbed } from '#shared/chat/embeds/embeds.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'

type Db = Kysely<Tables>

const DAY_MS = 86_400_000
/** Chats deleted per batch. */
const SWEPT = 500

type Row = Omit<Embed, 'created_at' | 'expires_at' | 'last_used_at'> & {
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
}

const selectEmbeds = (now: Date) => sql<Row>`
  select key.id, key.name, key.hint, key.created_at, key.expires_at, key.last_used_at,
    key.monthly_budget::float8, e.origins, e.in_extension, e.messages_a_day, e.days_kept,
    coalesce(nullif(trim(u.full_name), ''), u.username) as made_by,
    coalesce((select amount from key_months m where m.key_id = key.id
      and m.month = ${`${now.toISOString().slice(0, 7)}-01`}::date), 0)::float8 as spent,
    (select count(*)::int from embed_visitors v
      where v.key_id = key.id and v.last_seen_at > ${new Date(now.getTime() - 7 * DAY_MS)}) as visitors
  from embeds e join access_keys key on key.id = e.key_id join users u on u.id = key.user_id`

/** Returns the active tokens of an assistant, newest first. */
export async function listEmbeds(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  assistantId: string,
): Promise<Embed[]> {
  const { rows } = await sql<Row>`${selectEmbeds(clock.now())}
    where e.assistant_id = ${assistantId} and key.revoked_at is null
    order by key.created_at desc, key.id limit 100`.execute(db)
  return rows.map(toEmbed)
}

/** @throws AppError `conflict` for an assistant that has as many as one may have */
export async function insertEmbed(
  trx: Db,
  { userId, assistantId, at }: { userId: string; assistantId: string; at: Date },
  wish: NewEmbed,
  { hash, hint }: { hash: Buffer; hint: string },
): Promise<Embed> {
  await trx.selectFrom('assistants').select('id').where('id', '=', assistantId).forUpdate().execute()
  const good = await sql<{ count: number }>`
    select count(*)::int as count from embeds e join access_keys key on key.id = e.key_id
    where e.assistant_id = ${assistantId} and key.revoked_at is null`.execute(trx)
  if ((good.rows[0]?.count ?? 0) >= MAX_EMBED_TOKENS)
    throw new AppError('conflict', `This assistant has ${MAX_EMBED_TOKENS} embed tokens. Revoke one first.`)
  const { name, days, monthly_budget, ...opens } = wish
  const { id } = await trx
    .insertInto('access_keys')
    .values({
      ...{ user_id: userId, kind: 'embed', name, secret_hash: hash, hint, monthly_budget },
      ...{ created_at: at, expires_at: new Date(at.getTime() + days * DAY_MS) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('embeds')
    .values({ key_id: id, assistant_id: assistantId, ...opens })
    .execute()
  const { rows } = await sql<Row>`${selectEmbeds(at)} where e.key_id = ${id}`.execute(trx)
  return toEmbed(rows[0]!)
}

/** Revokes a token and disconnects its visitors. Returns its name, or null when there is none to revoke. */
export async function revokeEmbed(
  trx: Db,
  { id, assistantId, at }: { id: string; assistantId: string; at: Date },
): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    update access_keys key set revoked_at = ${at} from embeds e
    where key.id = ${id} and e.key_id = key.id and e.assistant_id = ${assistantId} and key.revoked_at is null
    returning key.name`.execute(trx)
  return rows[0]?.name ?? null
}

/** Deletes visitor chats past their retention period, and visitors without chats who were inactive as long. */
export async function deleteOldChats({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const old = sql`${now}::timestamptz - make_interval(days => e.days_kept)`
  await sql`delete from sessions where id in (
    select s.id from sessions s join embed_visitors v on v.id = s.visitor_id join embeds e on e.key_id = v.key_id
    where s.updated_at < ${old} and not is_held(s.user_id, s.workspace_id)
      and not exists (select from runs r where r.session_id = s.id and r.state in ('queued', 'running'))
    order by s.updated_at limit ${SWEPT})`.execute(db)
  await sql`delete from embed_visitors where id in (
    select v.id from embed_visitors v join embeds e on e.key_id = v.key_id
    where v.last_seen_at < ${old} and not exists (select from sessions s where s.visitor_id = v.id)
    order by v.last_seen_at limit ${SWEPT})`.execute(db)
}

function toEmbed({ created_at, expires_at, last_used_at, ...row }: Row): Embed {
  return {
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}
