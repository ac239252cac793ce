import { AppError } from '#shared/platform/errors.ts'
import type { AnswerShape } from '#shared/tools/own-tools/http-call.ts'
import { createJsonScanner, type JsonBounds } from '../../../platform/outbound/foreign/json-scanner.ts'
import { createMask, type Mask } from '../../../platform/outbound/foreign/mask-secrets.ts'
import { compileSchema } from '../schemas.ts'
import { joinPaths, keepOf, namedBy } from './keep-paths.ts'

/** A received answer, the parts to keep, and the secrets to mask in it. */
export type ToShape = {
  bytes: Uint8Array
  /** Content type and host, for error messages. */
  type: string
  host: string
  shape: AnswerShape
  secrets: readonly string[]
}

/** Limits of an answer before its parts are selected. */
export const ANSWER: JsonBounds = { values: 250_000, depth: 100 }
/** Maximum values passed to the run; a larger answer is returned as the beginning of its text. */
const MAX_VALUES = 20_000
/** A secret may span the truncation point. */
const MASK_SLACK = 16_384

/** Returns the kept part of an answer as JSON, with secrets masked. @throws AppError `unavailable`, `too_large` */
export function shapeText({ bytes, type, host, shape, secrets }: ToShape): string {
  const mask = createMask(secrets)
  const value = read({ bytes, type, host, shape })
  const kept = keepOf(value, joinPaths(shape.keep))
  if (kept === undefined && shape.keep.length > 0)
    throw new AppError(
      'unavailable',
      `${host} answered, but nothing was found under ${shape.keep.join(', ')}.`,
    )
  return cut(shape.schema ? fitInto(kept, shape.schema, host) : kept, shape.most_characters, mask)
}

/** Parses the body as JSON if it is JSON, otherwise returns its text; null if it is empty. */
function read({ bytes, type, host, shape }: Omit<ToShape, 'secrets'>): unknown {
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return null
  const isJson = /[/+]json\b/i.test(type)
  if (!isJson && !/^text\/|[/+](xml|yaml|javascript)\b|^$/i.test(type))
    return { content_type: type.slice(0, 200), bytes: bytes.length }
  const isNeeded = isJson || shape.keep.length > 0 || shape.schema !== null
  // A text that need not be JSON is not scanned, since it may contain any characters.
  if (!isNeeded && !/^\s*[[{"\d-]/.test(text)) return text
  try {
    createJsonScanner(ANSWER).scan(bytes)
    return JSON.parse(text)
  } catch (error) {
    if (!isNeeded) return text
    if (error instanceof AppError) throw error
    throw new AppError(
      'unavailable',
      `${host} did not answer with JSON${/html/i.test(type) ? ', but with a web page' : ''}.`,
    )
  }
}

function fitInto(value: unknown, schema: NonNullable<AnswerShape['schema']>, host: string): unknown {
  const parsed = compileSchema(schema, 'The answer').safeParse(value)
  if (parsed.success) return keepOf(value, namedBy(schema)) ?? null
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'it'
  throw new AppError(
    'unavailable',
    `${host} sent an answer that does not match the tool: ${where} does not match its schema.`,
  )
}

/** Replaces an answer that is too long with the beginning of its text and a notice. */
function cut(value: unknown, most: number, mask: Mask): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length <= most && countOf(text) <= MAX_VALUES) return JSON.stringify(mask.value(value)) ?? 'null'
  const shown = Math.min(text.length, most)
  const begins_with = mask
    .text(text.slice(0, shown + MASK_SLACK))
    .slice(0, shown)
    .toWellFormed()
  return JSON.stringify({ begins_with, characters_left_out: text.length - shown })
}

function countOf(json: string): number {
  const scanner = createJsonScanner({ values: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY })
  scanner.scan(Buffer.from(json))
  return scanner.values()
}
