import { sql } from 'kysely'
import { GRACE_DAYS } from '#shared/identity/administration/administration.ts'
import type { Platform } from '../../../platform/platform.ts'

/** Maximum sign-ins ended per run. */
const ENDED_MAX = 10_000

/**
 * Ends sign-ins from before a company of the person required a second step, once the grace period is over. A person who signs in again sets the
 * step up first.
 */
export async function endOldSignIns({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  await sql`
    delete from access_tokens where id in (
      select t.id from access_tokens t join company_members m on m.user_id = t.user_id
      join companies c on c.id = m.company_id
      where c.requires_second_factor and t.created_at < c.second_factor_since
        and c.second_factor_since < ${clock.now()}::timestamptz - make_interval(days => ${GRACE_DAYS})
        and not exists (select from code_apps a where a.user_id = t.user_id and a.confirmed_at < t.created_at)
        and not exists (select from passkeys p where p.user_id = t.user_id and p.created_at < t.created_at)
      order by t.id limit ${ENDED_MAX})`.execute(db)
}
