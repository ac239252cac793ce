import type { FastifyRequest } from 'fastify'
import * as contract from '#shared/runs/runs/runs.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { attachSession } from './attach-session.ts'
import { attachTask, type Wish } from './attach-task.ts'
import type { Streams } from './create-streams.ts'
import type { Reader } from './readers.ts'

export { attachBegun, attachTask } from './attach-task.ts'
export { createStreams, type Streams } from './create-streams.ts'
export { foldToolBlock } from './fold-tool-block.ts'
export { onClosed, type Reader } from './readers.ts'

/** Approximate rate at which a snapshot is read, folded and written. */
const CHARACTERS_PER_MS = 50_000

/** Serves the event streams of runs. */
export function serveStreams(
  server: Server,
  { log, streams }: Pick<Platform, 'log'> & { streams: Streams },
): void {
  const { readers, events, stored } = streams
  events.sentFrames
    .hear(stored.ring)
    .catch((error) => log.warn({ error }, 'Events of other processes come a moment later.'))
  server.http.addHook('preClose', async () => readers.closeAll())
  const count = ({ countedAs }: FastifyRequest, { written }: Reader) =>
    server.turns.charge(countedAs, written / CHARACTERS_PER_MS)
  serve(server, contract.streamTask, {
    handle: async ({ params, query, request, reply }) => {
      const chunks = query.include_chunks === 'true'
      const wish: Wish = { after: lastEventId(request), chunks, messageId: query.message_id }
      const reader = readers.open(request, reply, params.sessionId)
      await attachTask(streams, params.sessionId, reader, wish)
      count(request, reader)
    },
  })
  serve(server, contract.streamEvents, {
    handle: async ({ params, request, reply }) => {
      const reader = readers.open(request, reply, params.sessionId)
      await attachSession(streams, params.sessionId, reader, lastEventId(request))
      count(request, reader)
    },
  })
  serve(server, contract.sendTestEvent, {
    handle: async ({ params, body }) => {
      await events.notes.send(params.sessionId, body.event_type, body.data)
      return { status: 'success', message: `Event ${body.event_type} was sent.` }
    },
  })
}

/** Returns the `Last-Event-ID` header as a number, or null unless it is a whole number. */
export function lastEventId({ headers }: FastifyRequest): number | null {
  const id = Number(headers['last-event-id'] || Number.NaN)
  return Number.isSafeInteger(id) && id >= 0 ? id : null
}
