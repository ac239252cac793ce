import { createJsonScanner } from '../../outbound/foreign/json-scanner.ts'
import { bounds } from '../bounds.ts'
import { tidyPrompt, tidyResource } from './tidy-entries.ts'
import { tidyHandshake } from './tidy-handshake.ts'
import { asText, tidyPart } from './tidy-part.ts'
import { nameOf, type RefusedTool, tidyTool } from './tidy-tool.ts'

type Fields = Record<string, unknown>

/** Maximum values outside the reduced lists. The SDK describes each invalid one at length. */
const MAX_PLAIN_VALUES = 1_000
const MAX_PARTS = 1_000
const MAX_BATCH = 100
const MAX_FIELDS = 100

/**
 * Reduces a message to the parts in use. The SDK checks list entries in many ways and describes invalid ones at length, so
 * entries it would reject are omitted here and counted in `_meta` under `LEFT_OUT`.
 * @throws AppError `too_large` for a message with too many values outside its lists
 */
export function tidyMessage(message: unknown): unknown {
  if (Array.isArray(message)) return message.slice(0, MAX_BATCH).map(tidyMessage)
  if (!isFields(message)) return message
  const result = asResult(message.result)
  if (result !== null && message.method === undefined)
    return { jsonrpc: '2.0', id: message.id, result: tidyResult(result) }
  if (message.error !== undefined && message.error !== null && message.method === undefined)
    return { jsonrpc: '2.0', id: message.id, error: tidyError(message.error) }
  if (message.method === 'elicitation/create') return assertPlain(tidyQuestion(message))
  return assertPlain(message)
}

/** Returns the fields of a result. A few servers answer with the content alone. */
function asResult(result: unknown): Fields | null {
  if (isFields(result)) return result
  return Array.isArray(result) || typeof result === 'string' ? { content: result } : null
}

const INTERNAL_ERROR = -32_603

/**
 * Returns an error with a code and a message, even if its server sent only text. The data of a refused version is needed to
 * choose another.
 */
function tidyError(error: unknown): Fields {
  const { code, message: said = error, data } = isFields(error) ? error : {}
  const words = typeof said === 'string' ? said : (JSON.stringify(said) ?? '')
  return {
    code: Number.isInteger(code) ? code : INTERNAL_ERROR,
    message: words.slice(0, 2_000),
    ...(isFields(data) && Array.isArray(data.supported) && { data: assertPlain(data) }),
  }
}

/** Metadata key for the number of omitted list entries. */
export const LEFT_OUT = 'atrium/left-out'
/** Metadata key for the names of omitted tools, with the reasons. */
export const REFUSED = 'atrium/refused'

function tidyResult(result: Fields): Fields {
  const {
    content,
    structuredContent,
    tools,
    prompts,
    resources,
    resourceTemplates,
    contents,
    messages,
    isError,
    toolResult,
    nextCursor,
    ...rest
  } = result
  const tidied: Fields = assertPlain(tidyHandshake(withoutNulls(rest)))
  if (isError === true || isError === 'true' || isError === 1) tidied.isError = true
  if (nextCursor !== undefined && nextCursor !== null) tidied.nextCursor = String(nextCursor)
  let left = 0
  const keep = (name: string, list: unknown, most: number, tidy: (entry: unknown) => unknown) => {
    if (list === undefined) return
    if (list !== null && !Array.isArray(list)) {
      tidied[name] = null
      return
    }
    const entries = (list ?? []).slice(0, most).flatMap((one) => tidy(one) ?? [])
    left += (list ?? []).length - entries.length
    tidied[name] = entries
  }
  const room = { characters: bounds.textCharacters }
  // The first revision of the protocol had another name.
  const given = content === undefined && toolResult !== undefined ? asText(toolResult) : content
  keep('content', asParts(given), MAX_PARTS, (part) => tidyPart(part, room))
  const refused: RefusedTool[] = []
  keep('tools', tools, bounds.tools, (entry) => {
    const tidy = tidyTool(entry)
    if ('tool' in tidy) return tidy.tool
    if (refused.length < bounds.refused) refused.push(tidy.refused)
    return null
  })
  if (Array.isArray(tools))
    for (const entry of tools.slice(bounds.tools, bounds.tools + bounds.refused - refused.length))
      refused.push({ name: nameOf(entry), why: 'many' })
  keep('prompts', prompts, bounds.prompts, tidyPrompt)
  keep('resources', resources, bounds.resources, (one) => tidyResource(one, 'uri'))
  keep('resourceTemplates', resourceTemplates, bounds.resources, (one) => tidyResource(one, 'uriTemplate'))
  keep(
    'contents',
    contents,
    MAX_PARTS,
    (one) => tidyPart({ type: 'resource', resource: one }, room)?.resource,
  )
  keep('messages', messages, bounds.prompts, (one) => tidyTurn(one, room))
  if (structuredContent !== undefined && structuredContent !== null)
    tidied.structuredContent = cutValue(
      isFields(structuredContent) ? structuredContent : { result: structuredContent },
    )
  if (left > 0)
    tidied._meta = { ...(isFields(rest._meta) ? rest._meta : {}), [LEFT_OUT]: left, [REFUSED]: refused }
  return tidied
}

/** Replaces null with absence, because the SDK rejects null for optional fields. */
const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** Returns a list of parts, even if a server sends one part or plain text. */
function asParts(content: unknown): unknown {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return isFields(content) ? [content] : content
}

function tidyTurn(turn: unknown, room: { characters: number }): Fields | null {
  if (!isFields(turn) || (turn.role !== 'user' && turn.role !== 'assistant')) return null
  const content = tidyPart(turn.content, room)
  return content && { role: turn.role, content }
}

/** Reduces a server's question to the maximum number of fields shown. */
function tidyQuestion(message: Fields): Fields {
  const params = isFields(message.params) ? message.params : {}
  const { requestedSchema } = params
  if (!isFields(requestedSchema) || !isFields(requestedSchema.properties)) return message
  const properties = Object.fromEntries(Object.entries(requestedSchema.properties).slice(0, MAX_FIELDS))
  return { ...message, params: { ...params, requestedSchema: { ...requestedSchema, properties } } }
}

/** Replaces a value that is too long with the beginning of its JSON and a notice. */
function cutValue(value: unknown): unknown {
  const text = JSON.stringify(value) ?? ''
  const { length } = text
  if (length <= bounds.textCharacters) return value
  const begins_with = text.slice(0, bounds.textCharacters).toWellFormed()
  return { begins_with, characters_left_out: length - bounds.textCharacters }
}

function assertPlain<Value>(value: Value): Value {
  const scanner = createJsonScanner({ values: MAX_PLAIN_VALUES, depth: bounds.messageDepth })
  scanner.scan(Buffer.from(JSON.stringify(value) ?? ''))
  return value
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
