import * as contract from '#shared/runs/runs/runs.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { hearOthers, removeOldEvents } from '../events/events.ts'
import type { Engine } from './engine.ts'
import { drainRuns } from './hold.ts'
import { stopSession } from './rest/stop.ts'
import { watchRuns } from './watch/watch.ts'

export { isPassing, type LiveRun } from './context/live-run.ts'
export { readPerson } from './context/read-person.ts'
export type {
  Agent,
  Answer,
  ChildOutcome,
  ComparedModel,
  Completion,
  DoneStep,
  FrozenAssistant,
  FrozenTool,
  Leaf,
  OutwardRule,
  Question,
  QuotedChat,
  RunContext,
  RunInput,
  StepOptions,
} from './context/run-context.ts'
export { UnknownOutcome } from './context/unknown-outcome.ts'
export { sumUsage } from './context/usage-store.ts'
export { createEngine, type Engine, type FindNext, liveRunOf, type OnEnd } from './engine.ts'
export { executionId } from './execution-id.ts'
export { startFork } from './fork.ts'
export { resumeRun, startRun, startStandalone } from './hold.ts'
export { loadRecords, withChain } from './journal/journal-store.ts'
export { toMessage } from './reply.ts'
export { assertWaiting, giveAnswer } from './rest/give-answer.ts'
export { goOn } from './rest/go-on.ts'
export { requestPause } from './rest/pause.ts'
export { loadRested, type Rested } from './rest/rested.ts'
export { askToStop, stopRun, stopSession } from './rest/stop.ts'
export { assertIdle, assertTurn, type Begun, type StartRequest } from './start.ts'
export { findActiveRun, findRunOfMessage, loadMessage, lockSession, type RunRow } from './store.ts'

/** Reports the ids of owned runs now and at every change. */
export function onHeldRuns(engine: Engine, tell: (ids: string[]) => void): void {
  engine.onHeld = () => tell([...engine.live.keys()])
  engine.onHeld()
}

/** Serves runs: stop requests, and the watchers that keep runs alive. */
export function serveRuns(
  server: Server,
  { engine, db, clock, jobs, log }: Platform & { engine: Engine },
): void {
  const stopWatching = watchRuns(engine)
  hearOthers(engine.events).catch((error) => log.warn({ error }, 'Events of other processes are not heard.'))
  server.http.addHook('preClose', async () => {
    stopWatching()
    await drainRuns(engine)
  })
  jobs.register('remove-old-events', () => removeOldEvents({ db, clock }), { cron: '17 * * * *' })
  serve(server, contract.stopRun, {
    handle: async ({ params }) => {
      await stopSession(engine, params.sessionId)
      return { message: 'The reply was stopped.' }
    },
  })
}
