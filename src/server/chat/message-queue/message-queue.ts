import * as contract from '#shared/chat/message-queue/message-queue.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { addQueued, changeQueued, withdrawQueued } from './change-queue.ts'
import { findNext, requestMissed, startAfterEnd, startJob, startNext } from './start-next.ts'
import { findHold, listQueued, toQueued } from './store.ts'

/** A start waits for the checks of a reply, so starts have places of their own. */
const PLACES = 4

/** Serves the messages that people send while a run works, and starts them in turn. */
export function serveMessageQueue(server: Server, deps: Deps): void {
  const { db, engine, jobs } = deps
  engine.onEnd.push(startAfterEnd(deps))
  engine.findNext = findNext
  jobs.register('start-queued.missed', () => requestMissed(deps), { cron: '* * * * *' })
  jobs.register(startJob, ({ session_id }) => startNext(deps, String(session_id)), { places: PLACES })
  serve(server, contract.readQueue, {
    handle: async ({ params: { sessionId } }) => {
      const rows = await listQueued(db, sessionId)
      return { items: rows.map(toQueued), held_by: await findHold(db, sessionId, rows) }
    },
  })
  serve(server, contract.queueMessage, {
    handle: async ({ params, user, body }) => toQueued(await addQueued(deps, user, params.sessionId, body)),
  })
  serve(server, contract.changeQueued, {
    handle: async ({ params, user, body }) => toQueued(await changeQueued(deps, user, params, body)),
  })
  serve(server, contract.withdrawQueued, {
    handle: async ({ params }) => {
      await withdrawQueued(deps, params)
      return { message: 'The message was withdrawn.' }
    },
  })
}
