import { type RawBuilder, sql } from 'kysely'
import type { AuditAction, AuditChange, AuditEntry } from '#shared/identity/audit/audit.ts'
import { administeredBy, type Principal, reaches } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'

/** Filter by words, action, start time and refusal. */
export type AuditFilter = {
  q: string
  did: AuditAction | undefined
  since: Date | null
  refused: boolean | undefined
}

type Row = {
  id: string
  at: Date
  actor_id: string | null
  actor_name: string
  did: AuditAction
  subject: string
  company: string | null
  address: string | null
  refused: boolean
  changes: AuditChange[]
  previous: Buffer
  fingerprint: Buffer
}

const columns = sql`
  id, at, actor_id, actor_name, did, subject, company, address, refused, changes, previous, fingerprint`

/** Returns the entries visible to a principal, newest first. */
export async function findNewest(
  db: Database,
  principal: Principal,
  filter: AuditFilter,
  { skip, limit }: { skip: number; limit: number },
): Promise<AuditEntry[]> {
  const { rows } = await sql<Row>`select ${columns} from audit_entries where ${isWanted(principal, filter)}
    order by id desc limit ${limit} offset ${skip}`.execute(db)
  return rows.map(toEntry)
}

/** Returns the entries after a number, in order of creation. */
export async function findAfter(
  db: Database,
  principal: Principal,
  filter: AuditFilter,
  { after, limit }: { after: number; limit: number },
): Promise<AuditEntry[]> {
  const { rows } = await sql<Row>`select ${columns} from audit_entries
    where id > ${after} and ${isWanted(principal, filter)} order by id limit ${limit}`.execute(db)
  return rows.map(toEntry)
}

export async function countFound(db: Database, principal: Principal, filter: AuditFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_entries where ${isWanted(principal, filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Verifies the whole chain. Returns the number of entries and the first invalid one. */
export async function checkChain(db: Database): Promise<{ entries: number; broken_at: number | null }> {
  const { rows } = await sql<{ entries: number; broken_at: string | null }>`
    select count(*)::int as entries, min(id) filter (where not fits) as broken_at from (
      select id, fingerprint = audit_fingerprint(entry)
        and previous = coalesce(lag(fingerprint) over (order by id), previous)
        and id = coalesce(lag(id) over (order by id) + 1, id) as fits
      from audit_entries entry) looked_at`.execute(db)
  const [found] = rows
  return { entries: found?.entries ?? 0, broken_at: found?.broken_at ? Number(found.broken_at) : null }
}

function isWanted(principal: Principal, { q, did, since, refused }: AuditFilter): RawBuilder<unknown> {
  const words = q.trim().toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  const parts = [
    isVisible(principal),
    ...(did ? [sql`did = ${did}`] : []),
    ...(since ? [sql`at >= ${since}`] : []),
    ...(refused === undefined ? [] : [sql`refused = ${refused}`]),
    ...words.map(
      (word) =>
        sql`position(${word} in lower(concat_ws(' ', actor_name, did, subject, company, address))) > 0`,
    ),
  ]
  return sql.join(parts, sql` and `)
}

/** Restricts entries: super admins see all, others only those of their companies. */
function isVisible(principal: Principal): RawBuilder<unknown> {
  if (reaches(principal, 'super_admin')) return sql`true`
  return sql`company_id = any(${administeredBy(principal)}::uuid[])`
}

function toEntry({ id, at, actor_id, actor_name, previous, fingerprint, ...rest }: Row): AuditEntry {
  return {
    id: Number(id),
    at: at.toISOString(),
    actor: { id: actor_id, name: actor_name },
    ...rest,
    previous: previous.toString('hex'),
    fingerprint: fingerprint.toString('hex'),
  }
}
