import { type Kysely, sql } from 'kysely'
import type { Colleague, DeputyQuestion } from '#shared/chat/schedules/handing-over.ts'
import { AppError } from '#shared/platform/errors.ts'
import { may, type Person } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { FoundRequest } from '../../../runs/input-requests/input-requests.ts'
import { renewAddress } from '../mails/mails.ts'
import { endOpenSlots, stopRuns } from '../slot-store.ts'
import { nameOf } from '../store.ts'
import { forgetTrigger } from '../triggers/secret-store.ts'

type Db = Kysely<Tables>

/** Offers a schedule to a colleague and notifies them; null takes the offer back. */
export async function offer(db: Db, id: string, userId: string | null): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql`update schedules set transfer_to = ${userId}, updated_at = clock_timestamp()
      where id = ${id} and transfer_to is distinct from ${userId}::uuid returning id`.execute(trx)
    if (rows.length > 0 && userId)
      await sql`select notify_of_schedule(${userId}, 'schedule_offered',
        'schedule ' || ${id} || ' offered ' || clock_timestamp(), ${id}, null) limit 1`.execute(trx)
  })
}

export async function declineOffer(db: Db, id: string, userId: string): Promise<void> {
  await sql`update schedules set transfer_to = null, updated_at = clock_timestamp()
    where id = ${id} and transfer_to = ${userId}`.execute(db)
}

/**
 * Makes an offered schedule the person's, paused and without its secret, its mail address and its deliveries, and ends what is not over. Its next result opens a chat of theirs. Returns its
 * name, its previous owner and the runs to stop. @throws AppError `not_found` when the offer is gone
 */
export async function takeOver(
  trx: Db,
  id: string,
  userId: string,
): Promise<{ name: string; owner: string; runs: string[] }> {
  await stopRuns(trx, id)
  const { rows } = await sql<{ name: string; owner: string }>`
    select c.name, u.username as owner from schedules c join users u on u.id = c.user_id
    where c.id = ${id} and c.transfer_to = ${userId} for no key update of c`.execute(trx)
  if (!rows[0]) throw new AppError('not_found', 'Schedule not found')
  const runs = await endOpenSlots(trx, id, 'handed_over')
  await forgetTrigger(trx, id)
  await renewAddress(trx, id)
  await sql`update schedules set user_id = ${userId}, transfer_to = null, session_id = null, state = 'paused', failures = 0,
    stopped_for = null, deputy_id = nullif(deputy_id, ${userId}::uuid), last_result = null, is_by_others = true,
    updated_at = clock_timestamp(), version = version + 1 where id = ${id}`.execute(trx)
  return { ...rows[0], runs }
}

/** Returns active people who share a company with a person and whose name or address contains `q`, by name. */
export async function listColleagues(
  db: Db,
  userId: string,
  { q = '', limit }: { q?: string | undefined; limit: number },
): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select u.id, ${nameOf('u')} as name from users u
    where u.id <> ${userId} and u.deactivated_at is null and strpos(lower(${nameOf('u')}), lower(${q})) > 0
      and exists (select from company_members a join company_members b on b.company_id = a.company_id
        where a.user_id = ${userId} and b.user_id = u.id)
    order by lower(${nameOf('u')}), u.id limit ${limit}`.execute(db)
  return rows
}

type Row = Omit<DeputyQuestion, 'asked_at' | 'skip_at'> & { asked_at: Date; skip_at: Date | null }

/** Returns the open questions that a person is asked as a deputy, the oldest first. */
export async function listQuestions(db: Db, person: Person, limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.id as slot_id, c.name as schedule_name, ${nameOf('owner')} as owner_name, s.deputy_asked_at as asked_at,
      s.skip_at, q.request
    from slots s join schedules c on c.id = s.schedule_id join users owner on owner.id = c.user_id
    join input_requests q on q.run_id = s.run_id and q.state = 'waiting' and q.request ->> 'kind' = 'question'
    where s.state = 'asking' and ${may(person, 'read deputy-question', 's')}
    order by s.deputy_asked_at, s.id limit ${limit}`.execute(db)
  return rows
}

/** Returns the request that the run of a slot waits on; null without one. */
export async function findQuestion(db: Db, slotId: string): Promise<FoundRequest | null> {
  const { rows } = await sql<FoundRequest>`
    select q.* from input_requests q join slots s on s.run_id = q.run_id
    where s.id = ${slotId} and q.request ->> 'kind' = 'question'
    order by (q.state = 'waiting') desc, q.created_at desc limit 1`.execute(db)
  return rows[0] ?? null
}
