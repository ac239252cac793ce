import type { ValueRef } from '#shared/runs/runs/blocks.ts'
import { type Database, toJson } from '../../platform/db/db.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import { loadResult } from './store.ts'

/** Maximum JSON bytes of a result stored inline in the journal, events and messages. */
const MAX_INLINE_BYTES = 4_096
/** Characters of a larger one shown before it is read. */
const PREVIEW_CHARACTERS = 200

/** The stored outcome of a call. A large result is stored once, in `tool_executions`. */
export type KeptOutcome =
  | { ok: true; result: unknown }
  | { ok: true; result_ref: ValueRef }
  /** `signs_in`: the call needs an account that is not connected, and its person may connect it now. */
  | { ok: false; error: string; signs_in?: true }

/** Returns the form of a result for records, events and messages: the result itself, or a reference. */
export function keepResult(executionId: string, result: unknown): KeptOutcome & { ok: true } {
  const text = toJson(result)
  const bytes = Buffer.byteLength(text)
  if (bytes <= MAX_INLINE_BYTES) return { ok: true, result }
  const preview = text.slice(0, PREVIEW_CHARACTERS).toWellFormed()
  return { ok: true, result_ref: { id: executionId, bytes, preview } }
}

/**
 * Returns the full outcome of a call. Even the process that produced it reads it from storage, so that a replay gets
 * exactly the same. A journal of an archive may name any result, so that only those of the run's chat are read.
 */
export async function readOutcome(
  db: Database,
  { id: runId, input }: Pick<RunContext, 'id' | 'input'>,
  kept: KeptOutcome,
): Promise<{ ok: true; result: unknown } | { ok: false; error: string }> {
  if (!kept.ok || 'result' in kept) return kept
  return {
    ok: true,
    result: await loadResult(db, kept.result_ref.id, { runId, sessionId: input.session_id }),
  }
}
