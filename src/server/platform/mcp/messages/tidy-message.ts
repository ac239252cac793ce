import { createJsonScanner } from '../../outbound/foreign/json-scanner.ts'
import { bounds } from '../bounds.ts'
import { tidyPart, tidyPrompt, tidyResource } from './tidy-entries.ts'
import { tidyHandshake } from './tidy-handshake.ts'
import { nameOf, type RefusedTool, tidyTool } from './tidy-tool.ts'

type Fields = Record<string, unknown>

/** Values of a message beside the lists that are tidied: the SDK describes each that is wrong, at length. */
const MAX_PLAIN_VALUES = 1_000
const MAX_PARTS = 1_000
const MAX_BATCH = 100
const MAX_FIELDS = 100

/**
 * A message with no more than is used of it. The SDK checks every entry of a list in many ways, and writes pages about each that is
 * wrong: entries it would refuse are left out here, and counted in `_meta` under `LEFT_OUT`.
 * @throws AppError `too_large` for a message with too many values beside its lists
 */
export function tidyMessage(message: unknown): unknown {
  if (Array.isArray(message)) return message.slice(0, MAX_BATCH).map(tidyMessage)
  if (!isFields(message)) return message
  if (isFields(message.result)) return { ...message, jsonrpc: '2.0', result: tidyResult(message.result) }
  if (message.error !== undefined && message.error !== null && message.method === undefined)
    return { jsonrpc: '2.0', id: message.id, error: tidyError(message.error) }
  if (message.method === 'elicitation/create') return assertPlain(tidyQuestion(message))
  return assertPlain(message)
}

const INTERNAL_ERROR = -32_603

/** An error with a code and words, also where its server sent only words. The data of a refused version is needed to choose another. */
function tidyError(error: unknown): Fields {
  const { code, message: said = error, data } = isFields(error) ? error : {}
  const words = typeof said === 'string' ? said : (JSON.stringify(said) ?? '')
  return {
    code: Number.isInteger(code) ? code : INTERNAL_ERROR,
    message: words.slice(0, 2_000),
    ...(isFields(data) && Array.isArray(data.supported) && { data: assertPlain(data) }),
  }
}

/** Where a message says how many entries of its list were left out. */
export const LEFT_OUT = 'atrium/left-out'
/** Where it names the tools among them, with the reasons. */
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
    ...rest
  } = result
  const tidied: Fields = assertPlain(tidyHandshake(withoutNulls(rest)))
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
  keep('content', asParts(content), MAX_PARTS, (part) => tidyPart(part, room))
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
    tidied.structuredContent = cutValue(structuredContent)
  if (left > 0)
    tidied._meta = { ...(isFields(rest._meta) ? rest._meta : {}), [LEFT_OUT]: left, [REFUSED]: refused }
  return tidied
}

/** Replaces null with absence, because the SDK rejects null for optional fields. */
const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** A list of parts, also where a server sends one part, or its text. */
function asParts(content: unknown): unknown {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return isFields(content) ? [content] : content
}

function tidyTurn(turn: unknown, room: { characters: number }): Fields | null {
  if (!isFields(turn) || (turn.role !== 'user' && turn.role !== 'assistant')) return null
  const content = tidyPart(turn.content, room)
  return content && { role: turn.role, content }
}

/** What a server asks a person, with as many fields as are shown. */
function tidyQuestion(message: Fields): Fields {
  const params = isFields(message.params) ? message.params : {}
  const { requestedSchema } = params
  if (!isFields(requestedSchema) || !isFields(requestedSchema.properties)) return message
  const properties = Object.fromEntries(Object.entries(requestedSchema.properties).slice(0, MAX_FIELDS))
  return { ...message, params: { ...params, requestedSchema: { ...requestedSchema, properties } } }
}

/** A value that is too long is told as the text it begins with, and says so. */
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
