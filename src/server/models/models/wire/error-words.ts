import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'

type Fields = Record<string, unknown>

/** Fields with the sentence of an error, in the order in which they are trusted. */
const SENTENCES = [
  'message',
  'detail',
  'details',
  'msg',
  'error_msg',
  'error_message',
  'error_description',
] as const
const MORE_SENTENCES = ['status_msg', 'Message', 'reason', 'title'] as const
/** A gateway's own sentence, which names no reason. */
const SAYS_NOTHING = /^(?:provider returned (?:an )?error|upstream error|bad request|error)\W*$/i
const MAX_DEPTH = 6

/** Returns the sentence of an error in any known form; undefined when it has none. */
export function sentenceOf(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  if (typeof value === 'string') return unpack(value, depth)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return sentenceOf(value[0], depth + 1)
  const fields = record(value)
  const { error, errors, metadata, msg, loc } = fields
  // FastAPI names the place of an invalid field next to the sentence.
  if (typeof msg === 'string' && Array.isArray(loc)) return `${loc.join('.')}: ${msg}`
  const inner = [error, errors, ...[...SENTENCES, ...MORE_SENTENCES].map((name) => fields[name])]
  let said: string | undefined
  for (const one of inner) said ??= sentenceOf(one, depth + 1)
  const upstream = sentenceOf(record(metadata).raw, depth + 1)
  if (said !== undefined && (upstream === undefined || !SAYS_NOTHING.test(said))) return said
  return upstream ?? sentenceOf(fields.base_resp, depth + 1)
}

/** Gateways pack the error of the server behind them as a text of JSON. */
function unpack(text: string, depth: number): string | undefined {
  if (text.trim() === '') return undefined
  const packed = /^\s*[{[]/.test(text) ? tryJson(text) : undefined
  return packed === undefined ? text : (sentenceOf(packed, depth + 1) ?? text)
}

const DETAILS = ['code', 'type', 'status', 'n_ctx', 'n_prompt_tokens', 'failed_generation', 'param']

/** Returns the code, the figures and the text of an upstream server next to the sentence. */
export function detailsOf(value: unknown): string {
  const { error, metadata, ...own } = record(Array.isArray(value) ? value[0] : value)
  const inner = typeof error === 'object' && error ? detailsOf(error) : ''
  const { raw } = record(metadata)
  const told = DETAILS.flatMap((name) => (own[name] == null ? [] : [`${name} ${String(own[name])}`]))
  return [...told, ...(typeof raw === 'string' ? [raw] : []), inner].join(' ').trim()
}

/** Marks of an error in an event of its own, in which servers put it without the field `error`. */
export function isErrorEvent(event: object): boolean {
  const { object, type, success, code, status, message, detail, errors }: Fields = { ...event }
  const { error_code, error_msg, base_resp }: Fields = { ...event }
  if (object === 'error' || type === 'error' || success === false || errors || error_code || error_msg)
    return true
  const { status_code } = record(base_resp)
  if (typeof status_code === 'number' && status_code !== 0) return true
  if (typeof detail === 'string') return true
  const isSentence =
    (code !== undefined && code !== null) || status === 'error' || Object.keys(event).length === 1
  return typeof message === 'string' && isSentence
}

/** Returns the status of an error inside a stream; undefined when it names none. */
export function statusIn(error: unknown): number | undefined {
  const { code, status, status_code, base_resp } = record(error)
  const named = [code, status_code, status].map(Number).find((one) => one >= 400 && one < 600)
  if (named !== undefined) return named
  return base_resp === undefined ? undefined : statusOf(sentenceOf(base_resp) ?? '')
}

/** Returns the status that words of an error mean; undefined when they mean none. */
export function statusOf(words: string): number | undefined {
  if (/overload|server_error|internal|unavailable/i.test(words)) return 503
  if (/rate.?limit|too many requests|quota|resource_exhausted|insufficient balance/i.test(words)) return 429
  if (/auth|permission|api key/i.test(words)) return 401
  return /not.?found|no such model/i.test(words) ? 404 : undefined
}

export const record = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {}
