import { type Kysely, type RawBuilder, sql } from 'kysely'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import type { AdminBudgetKind, BudgetKind } from '#shared/money/budgets/budget-kinds.ts'
import type { Budget, BudgetSubject } from '#shared/money/budgets/budgets.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Wish = Pick<Budget, 'kind' | 'period' | 'subject_id' | 'amount'>
type SubjectKind = Exclude<AdminBudgetKind, 'house'>

const personName = sql`coalesce(nullif(trim(u.full_name), ''), u.username)`
/** Columns of a budget in responses. */
export const budgetColumns = sql`b.id, b.kind, b.period,
  coalesce(b.company_id::text, b.group_id::text, b.user_id::text, b.key_id::text, b.workspace_id::text, b.assistant_id) as subject_id,
  coalesce((select name from companies c where c.id = b.company_id),
    (select g.name || ' · ' || c.name from groups g join companies c on c.id = g.company_id where g.id = b.group_id),
    (select ${personName} from users u where u.id = b.user_id),
    (select name from access_keys k where k.id = b.key_id),
    (select name from workspaces w where w.id = b.workspace_id),
    (select name from assistants a where a.id::text = b.assistant_id)) as name,
  b.amount::float8, case when b.period = 'reply' then null
    when b.since = period_start(b.period, clock_timestamp()) then b.spent::float8 else 0 end as spent`

const order = sql`array_position(array['house', 'company', 'group', 'user', 'assistant', 'key'], b.kind)`
/** Super admins see and set all budgets except those of projects, which belong to the managers of each project. */
const isForAdmins = sql<boolean>`b.kind <> 'project'`

/** Returns a page of the budgets that super admins set: installation first, then companies, groups, users, assistants and keys. */
export async function findBudgets(
  db: Db,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: Budget[]; total: number }> {
  const { rows } = await sql<Budget>`
    select ${budgetColumns} from budgets b where ${isForAdmins} order by ${order}, name, b.period, b.id limit ${limit} offset ${skip}`.execute(
    db,
  )
  const { count } = await db
    .selectFrom('budgets as b')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where(isForAdmins)
    .executeTakeFirstOrThrow()
  return { items: rows, total: Number(count) }
}

/** Sets a budget. A new one starts with the period's spending so far. Returns the previous one as `before`. */
export async function upsertBudget(
  trx: Db,
  { kind, period, subject_id, amount }: Wish,
): Promise<{ budget: Budget; before: string | null }> {
  const of = (one: BudgetKind) => (kind === one ? subject_id : null)
  const subject = sql`b.kind = ${kind} and b.period = ${period}
    and coalesce(b.company_id::text, b.group_id::text, b.user_id::text, b.key_id::text, b.workspace_id::text, b.assistant_id)
      is not distinct from ${subject_id}`
  // Serialised, so that the sum below misses no concurrent entry.
  await sql`lock table ledger_entries in share row exclusive mode`.execute(trx)
  const found = await sql<{ amount: string }>`
    select trim_scale(amount)::text as amount from budgets b where ${subject}`.execute(trx)
  const used =
    kind === 'key' || kind === 'project'
      ? sql`select -sum(amount) from ledger_entries where kind = 'usage' and ${sql.ref(entryOf[kind])} = ${subject_id}::uuid
          and created_at >= start::timestamp at time zone 'UTC'`
      : sql`select sum(amount) from usage_days where day >= start
          and ${isUsedBy(kind, subject_id)}`
  await sql`
    insert into budgets (kind, company_id, group_id, user_id, assistant_id, key_id, workspace_id, period, amount, since, spent)
    select ${kind}, ${of('company')}, ${of('group')}, ${of('user')}, ${of('assistant')}, ${of('key')}, ${of('project')}, ${period}, ${amount}, start,
      coalesce((${used}), 0)
    from (select period_start(${period}, clock_timestamp()) as start) now
    on conflict (kind, company_id, group_id, user_id, assistant_id, key_id, workspace_id, period) do update set amount = excluded.amount`.execute(
    trx,
  )
  const { rows } = await sql<Budget>`select ${budgetColumns} from budgets b where ${subject}`.execute(trx)
  if (!rows[0]) throw new Error('A budget that was just set is gone.')
  return { budget: rows[0], before: found.rows[0]?.amount ?? null }
}

/** Ledger column of subjects whose usage has no daily sums. */
const entryOf = { key: 'key_id', project: 'workspace_id' } as const

/** Returns the condition that daily sums belong to a subject. */
function isUsedBy(kind: Exclude<BudgetKind, 'key' | 'project'>, id: string | null): RawBuilder<unknown> {
  if (kind === 'house') return sql`true`
  if (kind === 'group') return sql`${id}::uuid = any (group_ids)`
  return sql`${sql.ref(usedBy[kind])}::text = ${id}`
}

const usedBy = { company: 'company_id', user: 'user_id', assistant: 'assistant_id' } as const

/** Deletes a budget and returns it; undefined when there is none. */
export async function deleteBudget(trx: Db, id: string): Promise<Budget | undefined> {
  const { rows } = await sql<Budget>`
    select ${budgetColumns} from budgets b where b.id = ${id} and ${isForAdmins} for update`.execute(trx)
  if (!rows[0]) return undefined
  await trx.deleteFrom('budgets').where('id', '=', id).execute()
  return rows[0]
}

/** The table and name of each kind of budget subject. */
const subjects: Record<
  SubjectKind,
  { rows: RawBuilder<unknown>; name: RawBuilder<unknown>; detail: RawBuilder<unknown> }
> = {
  company: { rows: sql`companies s`, name: sql`s.name`, detail: sql`null::text` },
  group: {
    rows: sql`groups s`,
    name: sql`s.name`,
    detail: sql`(select name from companies c where c.id = s.company_id)`,
  },
  user: {
    rows: sql`users s`,
    name: sql`coalesce(nullif(trim(s.full_name), ''), s.username)`,
    detail: sql`s.email`,
  },
  assistant: {
    rows: sql`assistants s`,
    name: sql`s.name`,
    detail: sql`(select ${personName} from users u where u.id = s.user_id)`,
  },
  key: {
    rows: sql`(select * from access_keys where kind = 'key' and revoked_at is null) s`,
    name: sql`s.name`,
    detail: sql`(select ${personName} from users u where u.id = s.user_id)`,
  },
}

/** Returns whether a budget's subject exists. */
export async function isSubject(
  db: Db,
  { kind, subject_id }: { kind: AdminBudgetKind; subject_id: string | null },
): Promise<boolean> {
  if (kind === 'house' || (kind === 'assistant' && builtInIds.includes(subject_id ?? ''))) return true
  const { rows } = await sql`select from ${subjects[kind].rows} where s.id = ${subject_id}`.execute(db)
  return rows.length > 0
}

/** Searches possible subjects by name or detail. */
export async function findSubjects(
  db: Db,
  kind: SubjectKind,
  q: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<BudgetSubject[]> {
  const { rows: from, name, detail } = subjects[kind]
  const { rows } = await sql<BudgetSubject>`
    select id, name, detail from (select s.id, ${name} as name, ${detail} as detail from ${from}) found
    where position(lower(${q.trim()}) in lower(concat_ws(' ', name, detail))) > 0
    order by lower(name), id limit ${limit} offset ${skip}`.execute(db)
  return rows
}

/** Returns the company whose administrators may see a budget; null when there is none. */
export async function findCompanyOf(db: Db, { kind, subject_id }: Pick<Budget, 'kind' | 'subject_id'>) {
  if (kind === 'company') return subject_id
  if (kind !== 'group') return null
  const row = await db
    .selectFrom('groups')
    .select('company_id')
    .where('id', '=', subject_id)
    .executeTakeFirst()
  return row?.company_id ?? null
}
