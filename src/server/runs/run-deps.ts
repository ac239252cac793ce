import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import type { ModelDeps } from '../models/model-deps.ts'
import type { Authenticate, Caller } from '../platform/http/serve.ts'
import type { Engine } from './runs/runs.ts'
import type { Streams } from './streams/streams.ts'

/** What features of this domain and above receive: they start runs or follow them. */
export type RunDeps = ModelDeps & {
  authenticate: Authenticate
  /** The runs of this process. */
  engine: Engine
  /** The readers of this process. */
  streams: Streams
  assistants: AssistantPort
  checkCall: CheckCall
}

/** What lower domains ask about assistants. */
export type AssistantPort = {
  /** The assistant of a chat, or null. @throws AppError `not_granted` for one that is closed to the user */
  findOfChat: (
    user: Caller,
    session: { id: string; session_metadata: Record<string, unknown> },
  ) => Promise<Assistant | null>
  /** Those of the given ids that the user may see. */
  findNames: (user: Caller, ids: string[]) => Promise<{ id: string; name: string }[]>
}

/** Checks arguments against the schema of a tool. `version` is that of a tool somebody made. */
export type CheckCall = (
  call: { toolId: string; userId: string; version?: number | undefined },
  args: Record<string, unknown>,
) => Promise<{ errors: { path: string; message: string }[] }>
