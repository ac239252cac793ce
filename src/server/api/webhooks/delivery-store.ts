import { type Kysely, sql } from 'kysely'
import type { WebhookDelivery } from '#shared/api/webhooks/webhooks.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { WebhookRow } from './store.ts'

type Db = Kysely<Tables>
/** A delivery with its target. */
export type Due = {
  id: string
  type: string
  data: unknown
  tries: number
  created_at: Date
  webhook: Pick<
    WebhookRow,
    'id' | 'user_id' | 'url' | 'is_on' | 'secret' | 'previous_secret' | 'previous_until' | 'failing_since'
  >
}

/** After this time the attempt of a dead process is repeated. */
const CLAIMED_MS = 120_000
/** Maximum attempts shown per delivery. */
const ATTEMPTS_SHOWN = 10
const DUE_AT_ONCE = 500

/** Claims a due delivery. Returns null when it is sent, claimed or deleted. */
export async function claimDelivery(db: Db, id: string, now: Date): Promise<Due | null> {
  const { rows } = await sql<Due>`
    update webhook_deliveries d set tries = tries + 1, next_at = ${new Date(now.getTime() + CLAIMED_MS)}
    from webhooks w
    where d.id = ${id} and d.state = 'waiting' and d.next_at <= ${now} and w.id = d.webhook_id
    returning d.id, d.type, d.data, d.tries, d.created_at, json_build_object('id', w.id, 'user_id', w.user_id, 'url', w.url, 'is_on', w.is_on,
      'secret', w.secret, 'previous_secret', w.previous_secret, 'previous_until', w.previous_until,
      'failing_since', w.failing_since) as webhook`.execute(db)
  const due = rows[0]
  if (!due) return null
  const { previous_until, failing_since } = due.webhook
  const webhook = {
    ...due.webhook,
    previous_until: previous_until && new Date(previous_until),
    failing_since: failing_since && new Date(failing_since),
  }
  return { ...due, webhook }
}

export type Attempt = { at: Date; ms: number; status: number | null; error: string | null }

/** Stores an attempt and what follows it. */
export async function noteAttempt(
  db: Db,
  id: string,
  attempt: Attempt,
  next: { state: WebhookDelivery['state']; next_at: Date | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const kept = await trx.updateTable('webhook_deliveries').set(next).where('id', '=', id).executeTakeFirst()
    // The webhook was deleted meanwhile.
    if (kept.numUpdatedRows === 0n) return
    await trx
      .insertInto('webhook_attempts')
      .values({ delivery_id: id, ...attempt })
      .execute()
  })
}

/** Returns the ids of due deliveries. */
export async function findDue(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(DUE_AT_ONCE)
    .execute()
  return rows.map(({ id }) => id)
}

export async function insertDelivery(
  db: Db,
  webhook_id: string,
  type: string,
  data: Record<string, unknown>,
  now: Date,
): Promise<string> {
  const times = { created_at: now, next_at: now }
  const made = await db
    .insertInto('webhook_deliveries')
    .values({ webhook_id, type, data: JSON.stringify(data), ...times })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Makes a delivery due with all its retries. Returns false when it is in progress or unknown. */
export async function restartDelivery(db: Db, webhookId: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ state: 'waiting', tries: 0, next_at: now })
    .where('id', '=', id)
    .where('webhook_id', '=', webhookId)
    .where((where) => where.or([where('state', '!=', 'waiting'), where('next_at', '>', now)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns a webhook's deliveries, newest first, with the newest attempts of each. */
export async function findDeliveries(
  db: Db,
  webhookId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<WebhookDelivery[]> {
  const { rows } = await sql<
    Omit<WebhookDelivery, 'created_at' | 'next_at'> & Record<'created_at' | 'next_at', Date | null>
  >`
    select d.id, d.type, d.data, d.state, d.created_at, case when d.state = 'waiting' then d.next_at end as next_at,
      coalesce((select json_agg(json_build_object('at', a.at, 'ms', a.ms, 'status', a.status, 'error', a.error) order by a.id desc)
        from (select * from webhook_attempts where delivery_id = d.id order by id desc limit ${ATTEMPTS_SHOWN}) a), '[]') as attempts
    from webhook_deliveries d where d.webhook_id = ${webhookId}
    order by d.created_at desc, d.id limit ${limit} offset ${skip}`.execute(db)
  return rows.map(({ created_at, next_at, attempts, ...row }) => ({
    ...row,
    created_at: created_at?.toISOString() ?? '',
    next_at: next_at?.toISOString() ?? null,
    attempts: attempts.map((one) => ({ ...one, at: new Date(one.at).toISOString() })),
  }))
}
