import { type Insertable, type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'
import type { PastRun } from './interval.ts'

type Db = Kysely<Tables>

/** The properties shared by similar replies. `assistant_id` is empty without one. */
export type RunClass = { assistant_id: string; agent_type: string; model_name: string }

/** Maximum replies to learn from; older ones are ignored. */
const RUNS_READ = 120

/** Returns finished replies of a class, newest first; without an assistant, those of all. Uses an index-only scan. */
export async function findPastRuns(
  db: Db,
  { agent_type, model_name, assistant_id }: Omit<RunClass, 'assistant_id'> & Partial<RunClass>,
): Promise<PastRun[]> {
  let runs = db
    .selectFrom('run_prices')
    .select(['known', 'paid'])
    .where('model_name', '=', model_name)
    .where('agent_type', '=', agent_type)
  if (assistant_id !== undefined) runs = runs.where('assistant_id', '=', assistant_id)
  return runs.orderBy('finished_at', 'desc').limit(RUNS_READ).execute()
}

/** Sums the bytes of messages from a leaf backwards, up to the size of the window. */
export async function sumPath(db: Db, leafId: string, most: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    with recursive path as (
      select parent_id, bytes::bigint as bytes from messages where id = ${leafId}
      union all
      select parent.parent_id, path.bytes + parent.bytes from path join messages parent on parent.id = path.parent_id
      where path.bytes < ${most}
    )
    select least(max(bytes), ${most})::float8 as bytes from path`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Stores the cost of a reply once, for the company that pays for its user. */
export async function insertRunPrice(
  trx: Db,
  userId: string,
  price: Omit<Insertable<Tables['run_prices']>, 'company_id'>,
): Promise<void> {
  await trx
    .insertInto('run_prices')
    .values({ ...price, company_id: sql<string>`first_company(${userId})` })
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .execute()
}

/** Returns the configured confirmation limit; undefined when it was never set. */
export async function readQuestion(db: Db): Promise<{ above: number | null } | undefined> {
  return db.selectFrom('price_question').select('above').executeTakeFirst()
}

/** Sets the confirmation limit and returns the previous one. */
export async function writeQuestion(
  trx: Db,
  above: number | null,
): Promise<{ above: number | null } | undefined> {
  await sql`lock table price_question in share row exclusive mode`.execute(trx)
  const before = await readQuestion(trx)
  await trx
    .insertInto('price_question')
    .values({ above })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ above }))
    .execute()
  return before
}
