import type { GrantDeps } from './identity/grants/grants.ts'
import type { Server } from './platform/http/serve.ts'
import type { Deps } from './tools/deps.ts'

/** A feature puts its routes on the server and its handlers on the jobs. */
export type Feature = (server: Server, deps: AllDeps) => void

/** Everything the application is composed of. */
export type AllDeps = Deps & GrantDeps
