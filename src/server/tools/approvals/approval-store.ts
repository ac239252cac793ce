import { type Kysely, sql } from 'kysely'
import type { Named } from '#shared/runs/runs/request.ts'
import { MAX_TOOL_APPROVALS, type Who } from '#shared/tools/approvals/approvals.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type ApprovalRow = {
  company_id: string
  tool_id: string
  approver: Named | null
  deputy: Named | null
  deputy_minutes: number | null
  deadline_minutes: number
}

/** Selects a named person or group as JSON; null when it is gone. */
const named = (role: 'approver' | 'deputy') => {
  const [person, group] = [sql.ref(`a.${role}_user_id`), sql.ref(`a.${role}_group_id`)]
  return sql`coalesce(
    (select json_build_object('kind', 'person', 'id', u.id, 'name', coalesce(nullif(trim(u.full_name), ''), u.username))
      from users u where u.id = ${person}),
    (select json_build_object('kind', 'group', 'id', g.id, 'name', g.name) from groups g where g.id = ${group}))
    as ${sql.ref(role)}`
}

const columns = sql`a.company_id, a.tool_id, a.deputy_minutes, a.deadline_minutes, ${named('approver')}, ${named('deputy')}`

export async function listApprovals(db: Db, companyId: string): Promise<ApprovalRow[]> {
  const { rows } =
    await sql<ApprovalRow>`select ${columns} from tool_approvals a where a.company_id = ${companyId}
    order by a.tool_id limit ${MAX_TOOL_APPROVALS}`.execute(db)
  return rows
}

export async function findApproval(
  db: Db,
  { companyId, toolId }: { companyId: string; toolId: string },
): Promise<ApprovalRow | null> {
  const { rows } = await sql<ApprovalRow>`select ${columns} from tool_approvals a
    where a.company_id = ${companyId} and a.tool_id = ${toolId}`.execute(db)
  return rows[0] ?? null
}

/** Locks the company, so that its approvals are counted one change after another. Returns how many there are. */
export async function countApprovals(trx: Db, companyId: string): Promise<number> {
  await sql`select from companies where id = ${companyId} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from tool_approvals
    where company_id = ${companyId}`.execute(trx)
  return rows[0]?.count ?? 0
}

type NewApproval = {
  companyId: string
  toolId: string
  /** The place that the calls of the tool go to; null for a built-in one. */
  target: string | null
  approver: Who
  deputy: Who | null
  deputy_minutes: number
  deadline_minutes: number
}

export async function putApproval(trx: Db, wish: NewApproval, now: Date): Promise<void> {
  const { companyId, toolId, target, approver, deputy, deadline_minutes } = wish
  const idOf = (who: Who | null, kind: Who['kind']) => (who?.kind === kind ? who.id : null)
  await sql`insert into tool_approvals (company_id, tool_id, approver_user_id, approver_group_id, deputy_user_id,
      deputy_group_id, deputy_minutes, deadline_minutes, target, changed_at)
    values (${companyId}, ${toolId}, ${idOf(approver, 'person')}, ${idOf(approver, 'group')}, ${idOf(deputy, 'person')},
      ${idOf(deputy, 'group')}, ${deputy ? wish.deputy_minutes : null}, ${deadline_minutes}, ${target}, ${now})
    on conflict (company_id, tool_id) do update set approver_user_id = excluded.approver_user_id,
      approver_group_id = excluded.approver_group_id, deputy_user_id = excluded.deputy_user_id,
      deputy_group_id = excluded.deputy_group_id, deputy_minutes = excluded.deputy_minutes,
      deadline_minutes = excluded.deadline_minutes, target = excluded.target, changed_at = excluded.changed_at`.execute(
    trx,
  )
}

export async function deleteApproval(trx: Db, companyId: string, toolId: string): Promise<boolean> {
  const { rows } =
    await sql`delete from tool_approvals where company_id = ${companyId} and tool_id = ${toolId}
    returning tool_id`.execute(trx)
  return rows.length > 0
}

/** Returns whether a person or group belongs to a company. */
export async function isOfCompany(trx: Db, companyId: string, { kind, id }: Who): Promise<boolean> {
  const { rows } =
    kind === 'person'
      ? await sql`select from company_members where company_id = ${companyId} and user_id = ${id}`.execute(
          trx,
        )
      : await sql`select from groups where company_id = ${companyId} and id = ${id}`.execute(trx)
  return rows.length > 0
}

/** The approval that a call needs, with whether somebody other than its person can give it. */
export type NeededApproval = ApprovalRow & {
  target: string | null
  approver_acts: boolean
  deputy_acts: boolean
}

/** Returns the named approvals for a person by tool: for each, that of their company which exists longest. */
export async function findNeeded(db: Db, userId: string): Promise<NeededApproval[]> {
  const acts = (role: 'approver' | 'deputy') => sql`exists (select from people_named(a.company_id,
    ${sql.ref(`a.${role}_user_id`)}, ${sql.ref(`a.${role}_group_id`)}, ${userId}::uuid)) as ${sql.ref(`${role}_acts`)}`
  const { rows } =
    await sql<NeededApproval>`select distinct on (a.tool_id) ${columns}, a.target, ${acts('approver')}, ${acts('deputy')}
    from tool_approvals a join company_members m on m.company_id = a.company_id and m.user_id = ${userId}
      join companies c on c.id = a.company_id
    order by a.tool_id, c.created_at, c.id limit 10000`.execute(db)
  return rows
}

/** Notifies deputies whose turn has come. */
export async function notifyDeputies(db: Db): Promise<void> {
  await sql`select notify_deputies()`.execute(db)
}
