import { type Kysely, type Selectable, sql } from 'kysely'
import { OVERLAP_HOURS } from '#shared/chat/schedules/triggers.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type SecretRow = Selectable<Tables['trigger_secrets']>

export async function readSecret(db: Db, scheduleId: string): Promise<SecretRow | null> {
  const { rows } = await sql<SecretRow>`
    select schedule_id, secret, previous_secret, created_at,
      case when previous_until > schedule_now() then previous_until end as previous_until
    from trigger_secrets where schedule_id = ${scheduleId}`.execute(db)
  return rows[0] ?? null
}

/** Stores a sealed secret. The one before stays valid for a day when it is kept. */
export async function replaceSecret(
  trx: Db,
  scheduleId: string,
  sealed: string,
  keepsPrevious: boolean,
): Promise<void> {
  await sql`
    insert into trigger_secrets as old (schedule_id, secret, created_at) values (${scheduleId}, ${sealed}, schedule_now())
    on conflict (schedule_id) do update set secret = excluded.secret, created_at = excluded.created_at,
      previous_secret = case when ${keepsPrevious}::boolean then old.secret end,
      previous_until = case when ${keepsPrevious}::boolean
        then schedule_now() + ${OVERLAP_HOURS} * interval '1 hour' end`.execute(trx)
}

/** Deletes what belongs to the previous owner: the secret and the deliveries. */
export async function forgetTrigger(trx: Db, scheduleId: string): Promise<void> {
  await sql`delete from trigger_secrets where schedule_id = ${scheduleId}`.execute(trx)
  await sql`delete from trigger_deliveries where schedule_id = ${scheduleId}`.execute(trx)
}
