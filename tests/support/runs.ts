import { firstId, readEvents } from '../../src/server/runs/events/events.ts'
import { type Ending, endRun, type LiveRun } from '../../src/server/runs/runs/context/live-run.ts'
import type { RunContext } from '../../src/server/runs/runs/context/run-context.ts'
import { createEngine, type Engine } from '../../src/server/runs/runs/engine.ts'
import { resumeRun, startRun } from '../../src/server/runs/runs/hold.ts'
import type { StartRequest } from '../../src/server/runs/runs/start.ts'
import { loadMessage } from '../../src/server/runs/runs/store.ts'
import { watchRuns } from '../../src/server/runs/runs/watch/watch.ts'
import type { RunEvent } from '../../src/shared/runs/runs/events.ts'
import type { TestApp } from './app.ts'
import { aMessage, aSession, aUser } from './builders.ts'

/** Creates an engine whose only agent is `agent`; the app must not serve runs itself. */
export function anEngine(
  { deps }: Pick<TestApp, 'deps'>,
  agent: (run: RunContext) => Promise<void>,
  version = 1,
): Engine {
  return createEngine(deps, { multi_turn: { version, run: agent } })
}

/** Starts a run for a new question of a new user; `more` is merged into its frozen input. */
export async function aRun(
  app: TestApp,
  engine: Engine,
  seconds = 60,
  more: Partial<StartRequest['input']> = {},
): Promise<LiveRun> {
  const user = await aUser(app)
  const { id: sessionId } = await aSession(app, user)
  const question = await aMessage(app, sessionId, { content: 'Question' })
  const userMessage = (await loadMessage(app.deps.db, question.id))!
  const begun = await startRun(engine, sessionId, async () => ({
    userMessage,
    input: {
      ...{ session_id: sessionId, user_id: user.id, user_message_id: question.id, agent_type: 'multi_turn' },
      ...{ model_name: 'atrium/offline', context_tokens: 8000, language: 'en', instructions: null },
      ...{ tool_choice: null, tools: [], limits: { model_calls: 10, steps: 5, seconds } },
      ...more,
    },
  }))
  return engine.live.get(begun.id)!
}

/** Usage of a test's step, for its bill. */
export const someUsage = {
  input_tokens: 7,
  output_tokens: 3,
  cached_tokens: 0,
  reasoning_tokens: 0,
  estimated: false,
}

/** Options for `expect.poll`, for things that are immediate on an idle machine: `expect.poll(read, patiently)`. */
export const patiently = { timeout: 10_000 }

/** Resolves once no process of this engine holds a run. */
export async function atRest(engine: Engine, runId: string): Promise<void> {
  while (engine.live.has(runId)) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** Returns the row of a run, its journal's keys and its reply. */
export async function readRun({ deps }: TestApp, runId: string) {
  const run = await deps.db.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
  const records = await deps.db
    .selectFrom('run_records')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
  const reply = (await loadMessage(deps.db, run.message_id ?? ''))!
  const session = await deps.db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', run.session_id ?? '')
    .executeTakeFirstOrThrow()
  return { run, records, reply, session, keys: records.map(({ kind, key }) => `${kind}:${key}`) }
}

/** An agent's work; `end` ends the run as its process would. */
export type Work = (run: RunContext, end: (how: Ending) => void) => Promise<unknown>

/** Creates an engine whose replies are written by `work`. */
export function anAgent(app: Pick<TestApp, 'deps'>, work: Work): Engine {
  const engine: Engine = anEngine(app, async (run) => {
    await work(run, (how) => endRun(engine.live.get(run.id)!, how))
  })
  return engine
}

/**
 * Supervises runs like a process. Returns a function that stops it: the engine then resumes no run, even when notified.
 */
export function lookAfter(engine: Engine): () => void {
  const stop = watchRuns(engine)
  return () => {
    stop()
    engine.isDraining = true
  }
}

/** Returns the stored state of a run once no process holds it. */
export async function rested(app: TestApp, engine: Engine, runId: string) {
  await atRest(engine, runId)
  return readRun(app, runId)
}

/** Resumes a run. Returns its stored state once it rests. */
export async function goOn(app: TestApp, engine: Engine, runId: string) {
  await resumeRun(engine, runId)
  return rested(app, engine, runId)
}

/** Starts a run with `work` and waits until it rests. */
export async function play(app: TestApp, work: Work, more?: Parameters<typeof aRun>[3]) {
  const engine = anAgent(app, work)
  const { id } = await aRun(app, engine, 60, more)
  return { engine, ...(await rested(app, engine, id)) }
}

/** Returns the events sent to readers of a run in order, as stored for readers of other processes. */
export async function readTold(
  { deps }: Pick<TestApp, 'deps'>,
  engine: Engine,
  runId: string,
): Promise<RunEvent[]> {
  await engine.events.sentFrames.flush()
  const told: RunEvent[] = []
  for await (const page of readEvents(deps.db, { runId, after: firstId(0) }))
    told.push(...page.map(({ event }) => event))
  return told
}
