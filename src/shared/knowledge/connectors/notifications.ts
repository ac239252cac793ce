import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Receives the notifications of a source. Each carries the secret that the source was given, where that source puts it. */
export const notifyConnector = route({
  method: 'POST',
  path: '/connectors/:connectorId/notifications',
  access: 'public',
  may: null,
  fails: ['wrong_credentials'],
  summary: 'Notification of a source that something changed. It brings the next sync forward',
  params: z.object({ connectorId: Id }),
  status: 202,
  alsoStatus: [200],
  sends: 'text/plain',
})
