import type { Transaction } from 'kysely'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { writeAudit } from '../../audit/audit.ts'
import { companyName } from './token-store.ts'

type Done = { did: AuditAction; subject: string; subjectId: string; changes?: AuditChange[] }

/** Adds an audit entry for an action of a company's directory. */
export async function record(
  { clock }: Pick<Platform, 'clock'>,
  trx: Transaction<Tables>,
  companyId: string,
  done: Done,
): Promise<void> {
  const actor = { id: null, name: `SCIM of ${await companyName(trx, companyId)}`, address: null }
  await writeAudit(trx, clock.now(), { ...done, actor, companyId })
}
