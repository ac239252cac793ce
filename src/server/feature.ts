import type { GrantDeps } from './identity/grants/grants.ts'
import type { Server } from './platform/http/serve.ts'
import type { Deps } from './tools/deps.ts'

/** Registers a feature's routes on the server and its handlers for jobs. */
export type Feature = (server: Server, deps: AllDeps) => void

/** All dependencies of the application. */
export type AllDeps = Deps & GrantDeps
