import type { FastifyRequest } from 'fastify'
import * as contract from '#shared/runs/runs.ts'
import { type Server, serve } from '../http/serve.ts'
import type { Platform } from '../platform.ts'
import { attachSession } from './attach-session.ts'
import { attachTask, type Wish } from './attach-task.ts'
import type { Streams } from './create-streams.ts'

export { attachBegun, attachTask } from './attach-task.ts'
export { createStreams, type Streams } from './create-streams.ts'
export { foldToolBlock } from './fold-tool-block.ts'

/** Streams: what runs say, for everybody who reads it. */
export function serveStreams(
  server: Server,
  { log, streams }: Pick<Platform, 'log'> & { streams: Streams },
): void {
  const { readers, events, stored } = streams
  events.sentFrames
    .hear(stored.ring)
    .catch((error) => log.warn({ error }, 'Events of other processes come a moment later.'))
  server.http.addHook('preClose', async () => readers.closeAll())
  serve(server, contract.streamTask, {
    handle: async ({ params, query, request, reply }) => {
      const chunks = query.include_chunks === 'true'
      const wish: Wish = { after: lastEventId(request), chunks, messageId: query.message_id }
      await attachTask(streams, params.sessionId, readers.open(request, reply), wish)
    },
  })
  serve(server, contract.streamEvents, {
    handle: async ({ params, request, reply }) => {
      await attachSession(streams, params.sessionId, readers.open(request, reply), lastEventId(request))
    },
  })
  serve(server, contract.sendTestEvent, {
    handle: async ({ params, body }) => {
      await events.notes.send(params.sessionId, body.event_type, body.data)
      return { status: 'success', message: `Event ${body.event_type} was sent.` }
    },
  })
}

/** The header of a reader that comes back; anything but a whole number counts as none. */
export function lastEventId({ headers }: FastifyRequest): number | null {
  const id = Number(headers['last-event-id'] || Number.NaN)
  return Number.isSafeInteger(id) && id >= 0 ? id : null
}
