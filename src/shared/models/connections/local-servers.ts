import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'

/** A model server detected on the server's own machine. `base_url` is the address for a connection. */
export const LocalServer = z.object({ name: z.string(), base_url: z.string(), models: z.int() })
export type LocalServer = z.infer<typeof LocalServer>

export const listLocalServers = route({
  method: 'GET',
  path: '/model-connections/local',
  access: 'super_admin',
  summary: 'Model servers that answer on this machine and are not connected yet',
  pages: 1_000,
  answer: z.array(LocalServer),
})
