import { sql } from 'kysely'
import type { AuditChange } from '../../src/shared/identity/audit/audit.ts'
import type { TestApp } from './app.ts'

/** Returns the last audit entry of an action: actor, target and changes. */
export async function lastAudited({ deps }: Pick<TestApp, 'deps'>, did: string) {
  const { rows } = await sql<{
    actor_id: string | null
    actor_name: string
    company_id: string | null
    subject: string
    subject_id: string | null
    changes: AuditChange[]
  }>`select actor_id, actor_name, company_id, subject, subject_id, changes from audit_entries
    where did = ${did} order by id desc limit 1`.execute(deps.db)
  return rows[0]
}
