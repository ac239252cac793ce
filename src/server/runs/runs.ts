import type { FastifyRequest } from 'fastify'
import * as contract from '#shared/runs/runs.ts'
import { createAgents } from '../agents/agents.ts'
import type { Deps } from '../deps.ts'
import type { Feature } from '../features.ts'
import { serve } from '../http/serve.ts'
import { findOwnSession } from '../ownership/ownership.ts'
import { createToolAgent, createTools, type Tools } from '../tools/tools.ts'
import { attachTask } from './attach.ts'
import type { Wish } from './catch-up.ts'
import { createEngine, drainRuns, type Engine } from './engine.ts'
import { hearStandalone } from './follow-standalone.ts'
import { hearNotes, sendNote } from './notes.ts'
import { createReaders, type Readers } from './reader.ts'
import { removeOldEvents } from './retention.ts'
import { attachSession } from './session-events.ts'
import { stopSession } from './stop.ts'
import { foldToolBlock } from './tool-block.ts'
import { watchRuns } from './watch.ts'

export { attachLive, attachTask } from './attach.ts'
export {
  type Engine,
  type OnEnd,
  resumeRun,
  type StartRequest,
  startRun,
  startStandalone,
} from './engine.ts'
export { startFork } from './fork.ts'
export { assertWaiting, giveAnswer } from './give-answer.ts'
export { loadRecords, withChain } from './journal.ts'
export type { LiveRun } from './live-run.ts'
export { sendNote } from './notes.ts'
export { requestPause } from './pause.ts'
export { toMessage } from './reply.ts'
export { loadRested } from './rested.ts'
export type {
  Agent,
  Answer,
  ChildOutcome,
  FrozenAssistant,
  FrozenTool,
  Leaf,
  Question,
  RunContext,
  RunInput,
} from './run-context.ts'
export { assertIdle } from './start.ts'
export { stopSession } from './stop.ts'
export { findRunOfMessage } from './store.ts'

/** What the features that start or follow runs share: one engine, one set of open streams, one set of tools. */
export type Runs = { engine: Engine; readers: Readers; tools: Tools }

const runsOf = new WeakMap<Deps, Runs>()

/** The runs of the application these deps belong to. @throws before `serveRuns` was called */
export function getRuns(deps: Deps): Runs {
  const runs = runsOf.get(deps)
  if (!runs) throw new Error('serveRuns comes first in the list of features.')
  return runs
}

/** Tells, now and at every change, which runs this process holds. */
export function onHeldRuns(deps: Deps, tell: (ids: string[]) => void): void {
  const { engine } = getRuns(deps)
  engine.onHeld = () => tell([...engine.live.keys()])
  engine.onHeld()
}

/** One execution of a tool as its run has told of it; see `foldToolBlock`. */
export function readToolBlock(deps: Deps, which: Parameters<typeof foldToolBlock>[1]) {
  return foldToolBlock(getRuns(deps).engine, which)
}

/** Runs: following, stopping, and everything that keeps them alive. */
export const serveRuns: Feature = (server, deps) => {
  const tools = createTools()
  const engine = createEngine(deps, {
    ...createAgents({ ...deps, tools }),
    tool: createToolAgent({ ...deps, tools }),
  })
  const readers = createReaders(server.authenticate)
  runsOf.set(deps, { engine, readers, tools })
  const stopWatching = watchRuns(engine)
  Promise.all([hearNotes(engine), hearStandalone(engine)]).catch((error) =>
    deps.log.warn({ error }, 'Events of other processes are not heard.'),
  )
  server.http.addHook('preClose', async () => {
    stopWatching()
    await drainRuns(engine)
    readers.closeAll()
  })
  deps.jobs.register('remove-old-events', () => removeOldEvents(deps), { cron: '17 * * * *' })

  const guard = async ({ params, user }: { params: { sessionId: string }; user: { id: string } }) => {
    await findOwnSession(deps.db, user.id, params.sessionId)
  }
  serve(server, contract.streamTask, {
    guard,
    handle: async ({ params, query, request, reply }) => {
      const chunks = query.include_chunks === 'true'
      const wish: Wish = { after: lastEventId(request), chunks, messageId: query.message_id }
      const reader = readers.open(request, reply)
      await attachTask(engine, params.sessionId, reader, wish)
    },
  })
  serve(server, contract.streamEvents, {
    guard,
    handle: async ({ params, request, reply }) => {
      await attachSession(engine, params.sessionId, readers.open(request, reply), lastEventId(request))
    },
  })
  serve(server, contract.sendTestEvent, {
    guard,
    handle: async ({ params, body }) => {
      await sendNote(engine, params.sessionId, body.event_type, body.data)
      return { status: 'success', message: `Event ${body.event_type} was sent.` }
    },
  })
  serve(server, contract.stopRun, {
    guard,
    handle: async ({ params }) => {
      await stopSession(engine, params.sessionId)
      return { message: 'The reply was stopped.' }
    },
  })
}

/** The header of a reader that comes back; anything but a whole number counts as none. */
export function lastEventId({ headers }: FastifyRequest): number | null {
  const id = Number(headers['last-event-id'] || Number.NaN)
  return Number.isSafeInteger(id) && id >= 0 ? id : null
}
