import type { OutboundAnswer } from '#shared/platform/outbound.ts'
import type { HttpCall } from '#shared/tools/own-tools/http-call.ts'
import { LARGE_BYTES } from '../../../platform/outbound/foreign/foreign.ts'
import { createJsonScanner } from '../../../platform/outbound/foreign/json-scanner.ts'
import { createMask, isQuickToMask } from '../../../platform/outbound/foreign/mask-secrets.ts'
import { createThread } from '../../../platform/outbound/foreign/thread.ts'
import { codeUrl } from '../../../platform/process/checkout.ts'
import { shapeText, type ToShape } from './shape-text.ts'

/** An answer, and the secrets to mask in it. */
export type SecretAnswer = OutboundAnswer & { secrets: readonly string[] }

const thread = createThread<ToShape, string>(codeUrl('src/server/tools/own-tools/http/shape-thread.ts'))

/** Maximum values of an answer shaped in this thread; a larger one is shaped in a separate thread. */
const MAX_VALUES_HERE = 2_000
/** The same limit for an answer validated against a schema, which checks every value repeatedly. */
const MAX_VALUES_CHECKED_HERE = 200

/**
 * Returns an answer in the form for models, with secrets masked.
 * @throws AppError `unavailable` if it does not match the tool's description, `too_large` if it is too large or too deep
 */
export async function shapeAnswer(
  answer: SecretAnswer,
  { method, answer: shape }: Pick<HttpCall, 'method' | 'answer'>,
): Promise<unknown> {
  const { bytes, secrets } = answer
  if (method === 'HEAD') return createMask(secrets).value(readHead(answer))
  const type = answer.headers.get('content-type') ?? ''
  const given = { bytes, type, host: hostOf(answer), shape, secrets }
  return JSON.parse(isSmall(given) ? shapeText(given) : await thread.run(given))
}

function isSmall({ bytes, secrets, shape }: ToShape): boolean {
  if (bytes.length > LARGE_BYTES || !isQuickToMask(secrets, bytes.length)) return false
  const values = shape.schema === null ? MAX_VALUES_HERE : MAX_VALUES_CHECKED_HERE
  try {
    createJsonScanner({ values, depth: 100 }).scan(bytes)
    return true
  } catch {
    return false
  }
}

/** Describes an answer without a body. */
function readHead({ status, headers }: OutboundAnswer): Record<string, unknown> {
  const names = ['content-type', 'content-length', 'last-modified', 'etag']
  const said = names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)] as const] : []))
  return { status, ...Object.fromEntries(said) }
}

/** A secret may span the truncation point. */
const MASK_SLACK = 16_384

/** Returns the beginning of an answer's text, with secrets masked. */
export function beginningOf({ bytes, secrets }: SecretAnswer, characters: number): string {
  // A UTF-8 character has at most four bytes.
  const text = new TextDecoder().decode(bytes.subarray(0, 4 * characters + MASK_SLACK))
  return createMask(secrets)
    .text(text.slice(0, characters + MASK_SLACK))
    .slice(0, characters)
    .toWellFormed()
}

export const hostOf = ({ url }: Pick<OutboundAnswer, 'url'>): string => new URL(url).host
