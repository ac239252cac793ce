import type { ValueRef } from '#shared/runs/runs/blocks.ts'
import { type Database, toJson } from '../../platform/db/db.ts'
import { loadResult } from './store.ts'

/** Bytes of JSON up to which a result stands in the journal, its events and the message as it is. */
const INLINE_BYTES = 4_096
/** Characters of a larger one that are shown before it is read. */
const PREVIEW_LENGTH = 200

/** What came of a call, as its record keeps it. A large result is kept once, in `tool_executions`. */
export type KeptOutcome =
  | { ok: true; result: unknown }
  | { ok: true; result_ref: ValueRef }
  | { ok: false; error: string }

/** A result as record, events and message have it: itself, or what stands for it. */
export function keepResult(executionId: string, result: unknown): KeptOutcome & { ok: true } {
  const text = toJson(result)
  const bytes = Buffer.byteLength(text)
  if (bytes <= INLINE_BYTES) return { ok: true, result }
  const preview = text.slice(0, PREVIEW_LENGTH).toWellFormed()
  return { ok: true, result_ref: { id: executionId, bytes, preview } }
}

/**
 * The whole of what came of a call. It is read from where it is kept also by the process that has just made it, so
 * that a replay gets the very same.
 */
export async function readOutcome(
  db: Database,
  kept: KeptOutcome,
): Promise<{ ok: true; result: unknown } | { ok: false; error: string }> {
  if (!kept.ok || 'result' in kept) return kept
  return { ok: true, result: await loadResult(db, kept.result_ref.id) }
}
