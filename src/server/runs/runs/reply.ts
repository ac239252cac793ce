import { AppError, type ErrorCode } from '#shared/platform/errors.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { type Refusal, refusalOf } from '../../models/models/adapting/refusal-class.ts'
import { ModelError } from '../../models/models/port.ts'
import type { Log } from '../../platform/log.ts'

type Row = {
  id: string
  client_id: string | null
  session_id: string
  parent_id: string | null
  role: 'user' | 'assistant'
  agent_type: string | null
  model_name: string | null
  content: string
  blocks: unknown[]
  status: string
  is_modified: boolean
  metadata: Record<string, unknown>
  created_at: Date
  bytes: number
}

/** Converts a message row to its wire format. */
export function toMessage({ session_id, created_at, metadata, bytes: _bytes, ...row }: Row): Message {
  // The summary is internal to the models.
  const { summary: _summary, ...shown } = metadata
  const times = { chat_session_id: session_id, created_at: created_at.toISOString() }
  return { ...row, metadata: shown, ...times } as Message
}

/** The user-facing error of a failed run. `refusal` is present when a model call failed. */
export type RunFailure = { code: ErrorCode; detail: string; refusal?: Refusal }

/** Returns the user-facing error of a failed run. Unexpected errors are logged and reveal no internals. */
export function describeFailure(error: unknown, log: Log): RunFailure {
  if (error instanceof AppError) return { code: error.code, detail: error.detail }
  if (error instanceof ModelError) {
    const code = error.kind === 'not_available' ? 'not_available' : 'provider_failed'
    return { code, detail: error.message, refusal: refusalOf(error) }
  }
  log.error({ error }, 'A run failed.')
  return { code: 'broken', detail: 'Something went wrong on the server.' }
}
