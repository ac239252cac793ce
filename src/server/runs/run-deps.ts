import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import type { ModelDeps } from '../models/model-deps.ts'
import type { Authenticate, Caller } from '../platform/http/serve.ts'
import type { Engine } from './runs/runs.ts'
import type { Streams } from './streams/streams.ts'

/** Dependencies of features that start or follow runs. */
export type RunDeps = ModelDeps & {
  authenticate: Authenticate
  /** The run engine of this process. */
  engine: Engine
  /** The event streams of this process. */
  streams: Streams
  assistants: AssistantPort
  checkCall: CheckCall
}

/** Access to assistants for lower domains. */
export type AssistantPort = {
  /** Returns the assistant of a chat, or null. @throws AppError `not_granted` without a grant */
  findOfChat: (
    user: Caller,
    session: { id: string; session_metadata: Record<string, unknown> },
  ) => Promise<Assistant | null>
  /** Returns the assistants among these ids that the user may see. */
  findNames: (user: Caller, ids: string[]) => Promise<{ id: string; name: string }[]>
}

/** Validates arguments against a tool's schema. `version` is that of an own tool. */
export type CheckCall = (
  call: { toolId: string; userId: string; version?: number | undefined },
  args: Record<string, unknown>,
) => Promise<{ errors: { path: string; message: string }[] }>
