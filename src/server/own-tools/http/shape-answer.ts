import { AppError } from '#shared/errors.ts'
import type { OutboundAnswer } from '#shared/outbound.ts'
import type { AnswerShape, HttpCall } from '#shared/own-tools/http-call.ts'
import { compileSchema } from '../schemas.ts'
import { joinPaths, keepOf, namedBy } from './keep-paths.ts'

/** An answer as the model is told it. @throws AppError `unavailable` for one that is not what the tool says it is */
export function shapeAnswer(
  answer: OutboundAnswer,
  { method, answer: shape }: Pick<HttpCall, 'method' | 'answer'>,
): unknown {
  if (method === 'HEAD') return readHead(answer)
  const value = readAnswer(answer, shape)
  const kept = keepOf(value, joinPaths(shape.keep))
  if (kept === undefined && shape.keep.length > 0)
    throw new AppError(
      'unavailable',
      `${hostOf(answer)} answered, and nothing of it stands under ${shape.keep.join(', ')}.`,
    )
  return cut(shape.schema ? fitInto(kept, shape.schema, answer) : kept, shape.most_characters)
}

/** What an answer without a body says. */
function readHead({ status, headers }: OutboundAnswer): Record<string, unknown> {
  const names = ['content-type', 'content-length', 'last-modified', 'etag']
  const said = names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)] as const] : []))
  return { status, ...Object.fromEntries(said) }
}

/** What a service says: JSON where it is some, else its text; null for nothing. */
function readAnswer(answer: OutboundAnswer, shape: AnswerShape): unknown {
  const text = answer.text()
  if (text.trim() === '') return null
  const type = answer.headers.get('content-type') ?? ''
  const isJson = /[/+]json\b/i.test(type)
  if (!isJson && !/^text\/|[/+](xml|yaml|javascript)\b|^$/i.test(type))
    return { content_type: type.slice(0, 200), bytes: answer.bytes.length }
  try {
    return JSON.parse(text)
  } catch {
    if (isJson || shape.keep.length > 0 || shape.schema !== null)
      throw new AppError(
        'unavailable',
        `${hostOf(answer)} did not answer with JSON${/html/i.test(type) ? ', but with a web page' : ''}.`,
      )
    return text
  }
}

function fitInto(
  value: unknown,
  schema: NonNullable<AnswerShape['schema']>,
  answer: OutboundAnswer,
): unknown {
  const parsed = compileSchema(schema, 'The answer').safeParse(value)
  if (parsed.success) return keepOf(value, namedBy(schema)) ?? null
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'it'
  throw new AppError(
    'unavailable',
    `${hostOf(answer)} answered something else than the tool says: ${where} is not as its schema has it.`,
  )
}

/** An answer that is too long is told as the text it begins with, and says so. */
function cut(value: unknown, most: number): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length <= most) return value
  return { begins_with: text.slice(0, most).toWellFormed(), characters_left_out: text.length - most }
}

export const hostOf = ({ url }: Pick<OutboundAnswer, 'url'>): string => new URL(url).host
