import type { Authenticate, Server } from './platform/http/serve.ts'
import type { Platform } from './platform/platform.ts'
import type { Engine } from './runs/runs/runs.ts'
import type { Streams } from './runs/streams/streams.ts'
import type { Tools } from './tools/tools/tools.ts'

/** What features are handed: the platform, and what those share that start runs or follow them. */
export type Deps = Platform & {
  authenticate: Authenticate
  tools: Tools
  /** The runs of this process. */
  engine: Engine
  /** The readers of this process. */
  streams: Streams
}

/** A feature puts its routes on the server and its handlers on the jobs. */
export type Feature = (server: Server, deps: Deps) => void
