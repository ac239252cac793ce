import type { Kysely } from 'kysely'
import { checkpointIdOf } from '#shared/chat/checkpoints/checkpoint-id.ts'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import type { Tables } from '../../platform/db/tables.ts'
import {
  type CheckpointRow,
  findOfSession,
  findPayments,
  findQuestions,
  findRuns,
  type Payment,
  type RunNode,
  readBranch,
} from './store.ts'

type Db = Kysely<Tables>
type Spent = Pick<Payment, 'cost' | 'tokens'>

/** Returns the newest checkpoints of a session, newest last: all, or only labelled ones. */
export async function readCheckpoints(
  db: Db,
  sessionId: string,
  page: { skip: number; limit: number },
  isNamed: boolean,
): Promise<Checkpoint[]> {
  const rows = await findOfSession(db, sessionId, page, isNamed)
  return rows.length === 0 ? [] : describeCheckpoints(db, sessionId, rows)
}

/** Converts checkpoints of one session to their wire format. */
export async function describeCheckpoints(
  db: Db,
  sessionId: string,
  rows: CheckpointRow[],
): Promise<Checkpoint[]> {
  const runs = await findRuns(db, sessionId)
  const [spentBy, isOnBranch, questions] = await Promise.all([
    readSpending(db, runs),
    readBranch(db, sessionId, runs),
    findQuestions(db, [...new Set(rows.map(({ run_id }) => run_id))]),
  ])
  return rows.map((row) => ({
    ...{ id: checkpointIdOf(row), checkpoint_name: row.name, label: row.label, message_id: row.message_id },
    ...{ run_id: row.run_id, kind: row.kind, created_at: new Date(row.at / 1000).toISOString() },
    ...{ is_active: isOnBranch(row), cost: spentBy(row).cost },
    ...questions.get(checkpointIdOf({ run_id: row.run_id, key: row.name })),
  }))
}

/** Returns a function for the spending up to a position: of the run, its sub-runs and its inherited part. */
export async function readSpending(db: Db, runs: ReadonlyMap<string, RunNode>) {
  const payments = await findPayments(db, [...runs.keys()])
  const byRoot = Map.groupBy(payments, ({ run_id }) => rootOf(runs, run_id))
  const spentBy = ({ run_id, at }: { run_id: string; at: number }): Spent => {
    const own = (byRoot.get(run_id) ?? []).filter((payment) => payment.at <= at)
    const origin = runs.get(run_id)
    const before =
      origin?.forked_from_run && origin.forked_at !== null
        ? spentBy({ run_id: origin.forked_from_run, at: origin.forked_at })
        : { cost: 0, tokens: 0 }
    return own.reduce(
      (sum, { cost, tokens }) => ({ cost: sum.cost + cost, tokens: sum.tokens + tokens }),
      before,
    )
  }
  return spentBy
}

function rootOf(runs: ReadonlyMap<string, RunNode>, runId: string): string {
  const parent = runs.get(runId)?.parent_run_id
  return parent ? rootOf(runs, parent) : runId
}
