import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, type SqlBool, sql } from 'kysely'
import type { LedgerEntry, UsageModel, UsageStep } from '#shared/money/billing/billing.ts'
import { isPresent } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Above, findRunningBalances, isBelow } from './balance-store.ts'

/** Filter by period (`to` is exclusive), kind and model. */
export type LedgerFilter = {
  from?: string | undefined
  to?: string | undefined
  kind?: 'usage' | 'money' | undefined
  model?: string | undefined
}

const kinds = {
  usage: ['usage', 'absorbed'],
  money: ['start', 'top_up', 'correction'],
} satisfies Record<'usage' | 'money', Tables['ledger_entries']['kind'][]>

type Condition = ExpressionWrapper<Tables, 'ledger_entries', SqlBool>

/** Returns the SQL condition of a filter on a user's entries. */
export function isEntry(userId: string, { from, to, kind, model }: LedgerFilter) {
  return (eb: ExpressionBuilder<Tables, 'ledger_entries'>): Condition => {
    const parts = [eb('ledger_entries.user_id', '=', userId)]
    if (from) parts.push(eb('ledger_entries.created_at', '>=', new Date(from)))
    if (to) parts.push(eb('ledger_entries.created_at', '<', new Date(to)))
    if (kind) parts.push(eb('ledger_entries.kind', 'in', kinds[kind]))
    if (model) parts.push(eb('ledger_entries.model_name', '=', model))
    return eb.and(parts)
  }
}

/** Returns the number of matching entries. */
export async function countEntries(
  db: Kysely<Tables>,
  userId: string,
  filter: LedgerFilter,
): Promise<number> {
  const { count } = await db
    .selectFrom('ledger_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isEntry(userId, filter))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const used = sql<number>`coalesce(-sum(ledger_entries.amount), 0)::float8`
const calls = sql<number>`count(*)::int`
const tokens = sql<number>`
  coalesce(sum(coalesce(ledger_entries.input_tokens, 0)::bigint + coalesce(ledger_entries.output_tokens, 0)), 0)::float8`

type Sums = Pick<LedgerFilter, 'from' | 'to' | 'model'> & { step: 'day' | 'month'; timeZone: string }

const MAX_STEPS = 400
const MAX_MODELS = 50

/** Returns the usage per day or month of a time zone, in order, without empty ones. */
export function sumBySteps(
  db: Kysely<Tables>,
  userId: string,
  { step, timeZone, ...filter }: Sums,
): Promise<UsageStep[]> {
  const start = sql<string>`
    to_char(date_trunc(${step}, ledger_entries.created_at at time zone ${timeZone}), 'YYYY-MM-DD')`
  return db
    .selectFrom('ledger_entries')
    .select([start.as('start'), used.as('amount'), tokens.as('tokens'), calls.as('calls')])
    .where(isEntry(userId, filter))
    .where('kind', '=', 'usage')
    .groupBy(sql`1`)
    .orderBy(sql`1`)
    .limit(MAX_STEPS)
    .execute()
}

/** Returns the usage per model, most expensive first. */
export function sumByModels(db: Kysely<Tables>, userId: string, filter: LedgerFilter): Promise<UsageModel[]> {
  return db
    .selectFrom('ledger_entries')
    .select(['model_name', used.as('amount'), tokens.as('tokens'), calls.as('calls')])
    .where(isEntry(userId, filter))
    .where('kind', '=', 'usage')
    .groupBy('model_name')
    .orderBy('amount', 'desc')
    .orderBy('calls', 'desc')
    .orderBy('model_name')
    .limit(MAX_MODELS)
    .execute()
}

const pageSize = 1000

/** A line of the file. Its time is local to a time zone. */
export type FileEntry = Pick<
  LedgerEntry,
  | 'amount'
  | 'kind'
  | 'reason'
  | 'model_name'
  | 'session_title'
  | 'input_tokens'
  | 'output_tokens'
  | 'unpriced'
  | 'balance'
> & { time: string }

/** Yields all matching entries, newest first, with one page in memory. */
export async function* readEntries(
  db: Kysely<Tables>,
  userId: string,
  filter: LedgerFilter,
  timeZone: string,
): AsyncGenerator<FileEntry[]> {
  let above: Above | undefined
  do {
    const rows = await selectEntries(db, userId, filter, timeZone, above).execute()
    const last = rows.at(-1)
    if (!last) return
    const ids = rows.map(({ id }) => id)
    const found = await findRunningBalances(db, userId, { ids, oldest: last.created_at, above })
    yield rows.map(({ id, at: _, created_at: __, ...entry }) => ({
      ...entry,
      balance: found.get(id)?.balance ?? 0,
    }))
    const before = found.get(last.id)?.before
    above = rows.length === pageSize && before ? { ...last, before } : undefined
  } while (above)
}

function selectEntries(
  db: Kysely<Tables>,
  userId: string,
  filter: LedgerFilter,
  timeZone: string,
  above?: Above,
) {
  const time = sql<string>`
    to_char(ledger_entries.created_at at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS')`
  return db
    .selectFrom('ledger_entries')
    .leftJoin('sessions', (join) =>
      join
        .onRef('sessions.id', '=', 'ledger_entries.session_id')
        .on(isPresent('session', 'sessions'))
        .on('sessions.origin', '<>', 'temporary'),
    )
    .select(['ledger_entries.id', 'ledger_entries.amount', 'ledger_entries.kind', 'ledger_entries.reason'])
    .select(['ledger_entries.model_name', 'ledger_entries.input_tokens', 'ledger_entries.output_tokens'])
    .select(['ledger_entries.unpriced', 'sessions.title as session_title', 'ledger_entries.created_at'])
    .select([sql<string>`ledger_entries.created_at::text`.as('at'), time.as('time')])
    .where(isEntry(userId, filter))
    .where(above ? isBelow(above) : sql<boolean>`true`)
    .orderBy('ledger_entries.created_at', 'desc')
    .orderBy('ledger_entries.id')
    .limit(pageSize)
}
