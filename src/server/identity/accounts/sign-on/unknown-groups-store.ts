import { type Kysely, sql } from 'kysely'
import type { UnknownGroups } from '#shared/identity/accounts/sign-on-ways.ts'
import type { Tables } from '../../../platform/db/tables.ts'

const DAYS = 30

/** Returns, per service, why groups were unknown in the last 30 days, with the people concerned. */
export async function listUnknownGroups(
  db: Kysely<Tables>,
  now: Date,
): Promise<Map<string, UnknownGroups[]>> {
  const since = new Date(now.getTime() - DAYS * 86_400_000)
  const { rows } = await sql<{
    provider: string
    reason: UnknownGroups['reason']
    people: number
    last: Date
  }>`
    select changes -> 0 ->> 'after' as provider, changes -> 1 ->> 'after' as reason,
      count(distinct subject_id)::integer as people, max(at) as last
    from audit_entries where did = 'sign_on.groups_unknown' and at > ${since}
    group by 1, 2 order by 1, 2 limit 100`.execute(db)
  const found = new Map<string, UnknownGroups[]>()
  for (const { provider, reason, people, last } of rows)
    found.set(provider, [...(found.get(provider) ?? []), { reason, people, last_at: last.toISOString() }])
  return found
}
