import { resumeRun } from '../../src/server/runs/runs/hold.ts'
import type { Chat } from './chat.ts'
import { atRest, readRun } from './runs.ts'

/** Restores the database to its state right after the first `kept` records of a run. */
export async function goBack({ app }: Pick<Chat, 'app'>, runId: string, kept: number): Promise<void> {
  const { db } = app.deps
  await db.deleteFrom('run_records').where('run_id', '=', runId).where('position', '>=', kept).execute()
  const { run, records } = await readRun(app, runId)
  const keys = records.map(({ key }) => key)
  await db
    .deleteFrom('ledger_entries')
    .where('run_id', '=', runId)
    .where('step_key', 'not in', keys)
    .execute()
  const announced = records.flatMap(({ key, value }) =>
    /(^|\/)(?:model:\d+|calls)$/.test(key)
      ? (value as { value: { calls: { execution_id: string }[] } }).value.calls
      : [],
  )
  await db
    .deleteFrom('tool_executions')
    .where('run_id', '=', runId)
    .where('id', 'not in', announced.map(({ execution_id }) => execution_id).concat(runId))
    .execute()
  await db
    .updateTable('messages')
    .set({ content: '', blocks: '[]', status: 'streaming' })
    .where('id', '=', run.message_id ?? '')
    .execute()
  // Last, because the process may resume it by itself from here on.
  await db.updateTable('runs').set({ state: 'running', owner: null }).where('id', '=', runId).execute()
}

/** Resumes a run from its journal until it has come to rest. Returns the stored state. */
export async function resume({ app }: Pick<Chat, 'app'>, runId: string) {
  const { engine } = app.deps
  await resumeRun(engine, runId)
  for (;;) {
    await atRest(engine, runId)
    const read = await readRun(app, runId)
    // The process may have found it by itself meanwhile.
    if (read.run.state !== 'running' && read.run.state !== 'queued') return read
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Returns the paid steps in order, with lost attempts listed separately. */
export async function paidSteps({ app }: Pick<Chat, 'app'>, runId: string): Promise<(string | null)[]> {
  const rows = await app.deps.db
    .selectFrom('ledger_entries')
    .innerJoin('runs', 'runs.id', 'ledger_entries.run_id')
    .select(['step_key'])
    .where((row) => row.or([row('runs.id', '=', runId), row('runs.parent_run_id', '=', runId)]))
    .where('ledger_entries.kind', '=', 'usage')
    .orderBy('step_key')
    .execute()
  return rows.map(({ step_key }) => step_key)
}
