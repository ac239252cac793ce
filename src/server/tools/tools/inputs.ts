import type { ValueRef } from '#shared/runs/runs/blocks.ts'
import { toJson } from '../../platform/db/db.ts'

/** Maximum JSON bytes of an input stored inline in events and messages. */
const MAX_INLINE_BYTES = 4_096
/** Limits of a shortened input: plain values, and characters of each. */
const VALUES = 10
const CHARACTERS = 200

/** Returns the form of an input for events and messages: the input itself, or its beginnings and a reference to the whole. */
export function keepInput(executionId: string, input: unknown): { input: unknown; input_ref?: ValueRef } {
  const text = toJson(input)
  const bytes = Buffer.byteLength(text)
  if (bytes <= MAX_INLINE_BYTES) return { input }
  const preview = text.slice(0, CHARACTERS).toWellFormed()
  return { input: shorten(input), input_ref: { id: executionId, bytes, preview } }
}

function shorten(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return cut(input)
  const plain = Object.entries(input).filter(([, value]) => typeof value !== 'object')
  return Object.fromEntries(plain.slice(0, VALUES).map(([name, value]) => [cut(name), cut(value)]))
}

function cut(value: unknown): unknown {
  if (typeof value === 'object') return null
  if (typeof value !== 'string' || value.length <= CHARACTERS) return value
  return `${value.slice(0, CHARACTERS).toWellFormed()}…`
}
