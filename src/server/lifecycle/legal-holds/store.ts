import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { HeldKind, HoldSubject, LegalHold } from '#shared/lifecycle/legal-holds/legal-holds.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Page = { skip: number; limit: number }

type Row = {
  id: string
  user_id: string | null
  workspace_id: string | null
  name: string
  reason: string
  placed_by: string
  placed_at: Date
  lifted_by: string | null
  lifted_at: Date | null
  lift_reason: string | null
}

const columns = sql`id, user_id, workspace_id, name, reason, placed_by, placed_at, lifted_by, lifted_at, lift_reason`

const subjects: Record<HeldKind, { rows: RawBuilder<unknown>; held: RawBuilder<unknown> }> = {
  user: {
    rows: sql`(select id, coalesce(nullif(trim(full_name), ''), username) as name, email as detail from users)`,
    held: sql`is_held(s.id, null)`,
  },
  project: {
    rows: sql`(select w.id, w.name, coalesce(nullif(trim(u.full_name), ''), u.username) as detail
      from workspaces w join users u on u.id = w.user_id)`,
    held: sql`is_held(null, s.id)`,
  },
}

/** Returns a page of the holds, active ones first. */
export async function findHolds(
  db: Db,
  { skip, limit }: Page,
): Promise<{ items: LegalHold[]; total: number }> {
  const { rows } = await sql<Row>`select ${columns} from legal_holds
    order by lifted_at is not null, placed_at desc, id limit ${limit} offset ${skip}`.execute(db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from legal_holds`.execute(db)
  return { items: rows.map(toHold), total: counted[0]?.n ?? 0 }
}

export async function findHoldSubjects(
  db: Db,
  kind: HeldKind,
  q: string,
  { skip, limit }: Page,
): Promise<HoldSubject[]> {
  const { rows: from, held } = subjects[kind]
  const { rows } = await sql<HoldSubject>`select s.id, s.name, s.detail, ${held} as is_held from ${from} s
    where position(lower(${q.trim()}) in lower(concat_ws(' ', s.name, s.detail))) > 0
    order by lower(s.name), s.id limit ${limit} offset ${skip}`.execute(db)
  return rows
}

/** Locks a user or project until the commit, so that it is not deleted meanwhile. Rows that refer to it can be added. Returns its name and company; null when it is gone. */
export async function lockSubject(
  trx: Db,
  kind: HeldKind,
  id: string,
): Promise<{ name: string; company_id: string | null } | null> {
  const { rows } =
    kind === 'user'
      ? await sql<{ name: string; company_id: string | null }>`
          select coalesce(nullif(trim(full_name), ''), username) as name, first_company(id) as company_id
          from users where id = ${id} for no key update`.execute(trx)
      : await sql<{ name: string; company_id: string | null }>`
          select name, first_company(user_id) as company_id from workspaces where id = ${id} for no key update`.execute(
          trx,
        )
  return rows[0] ?? null
}

type NewHold = {
  kind: HeldKind
  subject_id: string
  name: string
  reason: string
  placed_by: string
  now: Date
}

/** Adds an active hold; null when there is one. */
export async function insertHold(trx: Db, { kind, subject_id, ...hold }: NewHold): Promise<LegalHold | null> {
  const [userId, workspaceId] = kind === 'user' ? [subject_id, null] : [null, subject_id]
  const { rows } =
    await sql<Row>`insert into legal_holds (user_id, workspace_id, name, reason, placed_by, placed_at)
    values (${userId}, ${workspaceId}, ${hold.name}, ${hold.reason}, ${hold.placed_by}, ${hold.now})
    on conflict do nothing returning ${columns}`.execute(trx)
  return rows[0] ? toHold(rows[0]) : null
}

/** Lifts an active hold. Returns null when it is lifted or unknown. */
export async function updateLifted(
  trx: Db,
  id: string,
  { by, reason, now }: { by: string; reason: string; now: Date },
): Promise<LegalHold | null> {
  const { rows } =
    await sql<Row>`update legal_holds set lifted_by = ${by}, lifted_at = ${now}, lift_reason = ${reason}
    where id = ${id} and lifted_at is null returning ${columns}`.execute(trx)
  return rows[0] ? toHold(rows[0]) : null
}

export async function hasHold(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from legal_holds where id = ${id} limit 1`.execute(db)
  return rows.length > 0
}

function toHold({ id, user_id, workspace_id, name, reason, placed_by, placed_at, ...lift }: Row): LegalHold {
  const { lifted_by, lifted_at, lift_reason } = lift
  return {
    ...{ id, name, reason, placed_by, placed_at: placed_at.toISOString() },
    kind: user_id === null ? 'project' : 'user',
    subject_id: user_id ?? workspace_id ?? '',
    lifted: lifted_at && { by: lifted_by ?? '', at: lifted_at.toISOString(), reason: lift_reason ?? '' },
  }
}
