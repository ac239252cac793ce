import { sql } from 'kysely'
import type { AuditChange } from '#shared/identity/audit/audit.ts'
import type { Database } from '../../platform/db/db.ts'

/** An entry as it is sent. `text` is its JSON, one line. */
export type StreamedEntry = { sequence: number; at: string; action: string; refused: boolean; text: string }

type Row = {
  id: string
  at: Date
  actor_id: string | null
  actor_name: string
  did: string
  subject_id: string | null
  subject: string
  company: string | null
  address: string | null
  refused: boolean
  changes: AuditChange[]
  previous: Buffer
  fingerprint: Buffer
}

/** Returns the entries after a number in their order. The chain commits one entry after the other, so none is skipped. */
export async function findEntries(db: Database, after: number, limit: number): Promise<StreamedEntry[]> {
  const { rows } =
    await sql<Row>`select id, at, actor_id, actor_name, did, subject_id, subject, company, address, refused, changes,
    previous, fingerprint from audit_entries where id > ${after} order by id limit ${limit}`.execute(db)
  return rows.map((row) => {
    const { did: action, subject, subject_id, company, address, refused, changes } = row
    const sequence = Number(row.id)
    const at = row.at.toISOString()
    const text = JSON.stringify({
      ...{ sequence, at, actor: { id: row.actor_id, name: row.actor_name }, action, subject, subject_id },
      ...{ company, address, refused, changes },
      ...{ previous: row.previous.toString('hex'), fingerprint: row.fingerprint.toString('hex') },
    })
    return { sequence, at, action, refused, text }
  })
}
