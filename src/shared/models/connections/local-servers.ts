import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { ConnectionKind } from './provider-form.ts'

/** A model server detected on the server's own machine. `kind` and `base_url` are those of a connection. */
export const LocalServer = z.object({
  name: z.string(),
  kind: ConnectionKind,
  base_url: z.string(),
  models: z.int(),
})
export type LocalServer = z.infer<typeof LocalServer>

export const listLocalServers = route({
  method: 'GET',
  path: '/model-connections/local',
  access: 'super_admin',
  summary: 'Model servers that answer on this machine and are not connected yet',
  pages: 1_000,
  answer: z.array(LocalServer),
})
