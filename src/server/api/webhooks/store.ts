import { type Kysely, type Selectable, sql } from 'kysely'
import { KEPT_DAYS, MAX_WEBHOOKS, type Webhook } from '#shared/api/webhooks/webhooks.ts'
import { AppError } from '#shared/platform/errors.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type WebhookRow = Selectable<Tables['webhooks']>
type NewWebhook = Pick<WebhookRow, 'user_id' | 'company_id' | 'name' | 'url' | 'events' | 'secret'>
export type WebhookChange = Partial<
  Pick<
    WebhookRow,
    | 'name'
    | 'url'
    | 'events'
    | 'is_on'
    | 'secret'
    | 'previous_secret'
    | 'previous_until'
    | 'failing_since'
    | 'gave_up_at'
  >
>

function selectWebhooks(db: Db) {
  return db
    .selectFrom('webhooks')
    .leftJoin('companies', 'companies.id', 'webhooks.company_id')
    .selectAll('webhooks')
    .select('companies.name as company_name')
}

/** Returns a page of the webhooks a principal may manage, with their number. */
export async function findWebhooks(
  db: Db,
  principal: Principal,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: Webhook[]; total: number }> {
  const mine = may(principal, 'manage webhook', 'webhooks')
  const rows = await selectWebhooks(db)
    .where(mine)
    .orderBy('webhooks.created_at', 'desc')
    .orderBy('webhooks.id')
    .limit(limit)
    .offset(skip)
    .execute()
  const { total } = await db
    .selectFrom('webhooks')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where(mine)
    .executeTakeFirstOrThrow()
  return { items: rows.map(toWebhook), total: Number(total) }
}

/** @throws AppError `not_found` */
export async function findWebhook(db: Db, id: string): Promise<Webhook> {
  const row = await selectWebhooks(db).where('webhooks.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found', 'Webhook not found')
  return toWebhook(row)
}

/** @throws AppError `conflict` where there are as many as there may be */
export async function insertWebhook(trx: Db, { user_id, company_id, ...rest }: NewWebhook): Promise<Webhook> {
  const owner = user_id === null ? ('company_id' as const) : ('user_id' as const)
  const id = user_id ?? company_id ?? ''
  await trx
    .selectFrom(user_id === null ? 'companies' : 'users')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .execute()
  const { count } = await trx
    .selectFrom('webhooks')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where(owner, '=', id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_WEBHOOKS)
    throw new AppError(
      'conflict',
      `There are ${MAX_WEBHOOKS} webhooks. Delete one that is not used any more.`,
    )
  const made = await trx
    .insertInto('webhooks')
    .values({ user_id, company_id, ...rest })
    .returning('id')
    .executeTakeFirstOrThrow()
  return findWebhook(trx, made.id)
}

export async function changeWebhook(db: Db, id: string, change: WebhookChange): Promise<void> {
  await db.updateTable('webhooks').set(change).where('id', '=', id).execute()
}

export async function removeWebhook(db: Db, id: string): Promise<void> {
  await db.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** Deletes a batch of old deliveries. */
export async function removeOldDeliveries(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
  await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < ${before} order by created_at limit 10000)`.execute(
    db,
  )
}

type Named = WebhookRow & { company_name: string | null }

function toWebhook(row: Named): Webhook {
  const { id, name, url, events, company_id, company_name, is_on } = row
  return {
    ...{ id, name, url, events, is_on },
    company: company_id === null ? null : { id: company_id, name: company_name ?? '' },
    failing_since: row.failing_since?.toISOString() ?? null,
    gave_up_at: row.gave_up_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
