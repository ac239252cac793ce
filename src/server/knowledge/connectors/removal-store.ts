import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { lockConnector, UNDO_DAYS } from './connector-store.ts'

type Db = Kysely<Tables>
const DAY_MS = 86_400_000

type Answer = { removal_id: string; answer: 'remove' | 'keep'; by: string }

/**
 * Answers the question about missing items in a transaction. Removed items are hidden immediately and deleted 30 days later.
 * @throws AppError `conflict` when the question is answered already
 */
export async function answerMissing(
  trx: Db,
  id: string,
  { removal_id, answer, by }: Answer,
  now: Date,
): Promise<void> {
  const row = await lockConnector(trx, id)
  const { rows } = await sql`
    update connector_removals set state = ${answer === 'remove' ? 'removed' : 'kept'}, answered_at = ${now}, answered_by = ${by}
    where id = ${removal_id} and connector_id = ${id} and state = 'asked' returning id`.execute(trx)
  if (!row || rows.length === 0) throw new AppError('conflict', 'This question was answered already.')
  if (answer === 'remove')
    await sql`update connector_items set removed_at = ${now} where removal_id = ${removal_id}`.execute(trx)
  else {
    await sql`update connector_items set removal_id = null, seen_in = ${row.sync_number}
      where removal_id = ${removal_id}`.execute(trx)
    await listAgain(trx, id)
  }
  await goOn(trx, id, now)
}

/** Brings back the items of a confirmed removal, in a transaction. @throws AppError `conflict` when its time is over */
export async function undoMissing(trx: Db, id: string, removalId: string, now: Date): Promise<void> {
  const row = await lockConnector(trx, id)
  const since = new Date(now.getTime() - UNDO_DAYS * DAY_MS)
  const { rows } = await sql`
    update connector_removals set state = 'undone'
    where id = ${removalId} and connector_id = ${id} and state = 'removed' and answered_at > ${since} returning id`.execute(
    trx,
  )
  if (!row || rows.length === 0) throw new AppError('conflict', 'This removal can no longer be undone.')
  await sql`update connector_items set removal_id = null, removed_at = null, seen_in = ${row.sync_number}
    where removal_id = ${removalId}`.execute(trx)
  await listAgain(trx, id)
}

/** Continues the sync that waited for the answer. */
async function goOn(trx: Db, id: string, now: Date): Promise<void> {
  await sql`update connectors set state = 'working', next_sync_at = ${now} where id = ${id} and state = 'asking'`.execute(
    trx,
  )
}

/** Reminds of questions that have waited since before a time, once each. */
export async function remindOfRemovals(db: Db, before: Date, now: Date): Promise<void> {
  await sql`
    with late as (
      update connector_removals set reminded_at = ${now}
      where state = 'asked' and reminded_at is null and asked_at <= ${before} returning id, connector_id)
    select notify_of_connector(connector_id, 'connector_asks', 'removal ' || id || ' reminder') from late order by id
    limit 100000`.execute(db)
}

/** Notes the removals that can no longer be undone. */
export async function endRemovals(db: Db, before: Date): Promise<void> {
  await sql`update connector_removals set state = 'ended' where state = 'removed' and answered_at < ${before}`.execute(
    db,
  )
}

/** Deletes old finished syncs. */
export async function forgetSyncs(db: Db, before: Date): Promise<void> {
  await sql`delete from connector_syncs where ended_at < ${before}`.execute(db)
}

/** Makes the next sync list everything: a source reports an item as gone only once. */
async function listAgain(trx: Db, id: string): Promise<void> {
  await sql`update connectors set changes_token = null where id = ${id}`.execute(trx)
}

/**
 * Makes documents of a connector ordinary ones of its owner, and deletes their items. Items that the source no longer has stay, and so do
 * those in a project under a legal hold, which they would leave. Returns the number of items.
 */
export async function releaseItems(db: Db, id: string, limit: number): Promise<number> {
  const { rows } = await sql`
    with chosen as (
      select i.id from connector_items i where i.connector_id = ${id} and i.removed_at is null and not exists (
        select from documents d where d.connector_item_id = i.id and is_document_held(d.id, null))
      order by i.id limit ${limit} for update
    ), released as (
      update documents set connector_id = null, connector_item_id = null where connector_item_id in (select id from chosen)
    )
    delete from connector_items where id in (select id from chosen) returning id`.execute(db)
  return rows.length
}
