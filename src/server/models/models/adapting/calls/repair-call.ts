import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import type { JsonSchema, ModelTool, ToolCallPart } from '../../port.ts'
import { MAX_REPAIRED, repairJson, splitJson } from './loose-json.ts'
import { readPython } from './python-calls.ts'

/** Keys in which models wrap the arguments of a call. */
const ENVELOPES = ['arguments', 'parameters', 'input', 'args', 'kwargs', 'tool_input', 'params']

/**
 * Returns a call with the tool's own name and its arguments as a JSON object. Ambiguous arguments stay unchanged; the tool
 * then reports the error.
 */
export function repairCall(call: ToolCallPart, tools: readonly ModelTool[]): ToolCallPart {
  // The server says that this is a call, so that a namespace needs no prefix.
  const tool = findTool(call.name, tools) ?? findTool(`tools.${call.name}`, tools)
  const [written] = tool || !call.name.includes('(') ? [] : readPython(call.name)
  if (written && findTool(written.name, tools)) return repairCall({ ...call, ...written }, tools)
  const name = tool?.name ?? call.name
  const input = call.input.trim()
  if (input.length > MAX_REPAIRED) return { ...call, name }
  const value = readArguments(input)
  if (value === undefined) return { ...call, name, input: wrapPlain(input, tool) ?? call.input }
  const meant = tool ? fitValue(unwrap(value, tool), tool.input_schema) : value
  const text = JSON.stringify(meant)
  return { ...call, name, input: text === undefined ? call.input : text }
}

/** The name under which models of OpenAI pack several calls. No request offers it. */
const PACKED = /^(?:multi_tool_use[._])?parallel$/

/** Returns a call with the tool's own name and its arguments, or the calls that it packs. Ids are derived from its own. */
export function repairCalls(call: ToolCallPart, tools: readonly ModelTool[]): ToolCallPart[] {
  const isPacked = PACKED.test(call.name) && !findTool(call.name, tools)
  const { tool_uses } = record(isPacked ? readArguments(call.input.trim()) : undefined)
  const packed = Array.isArray(tool_uses) ? tool_uses.map(record).filter(isNamed) : []
  if (packed.length === 0) return [repairCall(call, tools)]
  return packed.map(({ recipient_name, parameters = {} }, at) =>
    repairCall(
      { ...call, id: `${call.id}_${at + 1}`, name: recipient_name, input: JSON.stringify(parameters) },
      tools,
    ),
  )
}

const isNamed = (use: Record<string, unknown>): use is { recipient_name: string; parameters?: unknown } =>
  typeof use.recipient_name === 'string'

/** Returns a plain text as the only argument that a tool has or requires; null when it takes another or several. */
function wrapPlain(text: string, tool: ModelTool | undefined): string | null {
  const schema: JsonSchema = tool?.input_schema ?? {}
  const { properties, required } = schema
  const needed = Array.isArray(required) && required.length > 0 ? required : Object.keys(record(properties))
  const [key, ...others] = needed
  if (typeof key !== 'string' || others.length > 0 || /^[[{]/.test(text)) return null
  return record(record(properties)[key]).type === 'string' ? JSON.stringify({ [key]: text }) : null
}

const PREFIX = /^(?:functions?|tools?|default_api|api)[.:/]+/i

/**
 * Returns the tool that a name means: exact, without its prefix, or with other case and punctuation; after a prefix also without an
 * inner namespace. Undefined when several match.
 */
export function findTool(given: string, tools: readonly ModelTool[]): ModelTool | undefined {
  const exact = tools.find(({ name }) => name === given)
  if (exact) return exact
  const whole = given.replace(/<\|.*$/s, '').trim()
  const bare = whole
    .replace(PREFIX, '')
    .replace(/(?::\d+|\(\)|\.call)$/, '')
    .trim()
  const key = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const alike = tools.filter(({ name }) => key(name) === key(bare))
  const found = tools.find(({ name }) => name === bare) ?? (alike.length === 1 ? alike[0] : undefined)
  if (found || alike.length > 1 || !PREFIX.test(whole)) return found
  const inner = bare.split(/[.:/]/).at(-1)
  return tools.find(({ name }) => name === inner)
}

/** Returns the arguments in a text, or undefined when it holds none, or several that differ. */
function readArguments(text: string): unknown {
  const bare = withoutFence(text)
  if (bare === '' || /^(?:null|None|undefined)$/.test(bare)) return {}
  const direct = tryJson(bare)
  if (typeof direct === 'string') return direct.trim() === bare ? undefined : readArguments(direct.trim())
  if (direct === null) return {}
  if (direct !== undefined) return direct
  // Some models close more brackets than they opened.
  const closed = /^[{[].*[}\]]\s*[}\]]$/s.test(bare) ? tryJson(bare.slice(0, -1)) : undefined
  if (closed !== undefined) return closed
  // Some servers begin with empty arguments and then send the whole ones.
  const several = new Set(splitJson(bare))
  if (several.size > 1) several.delete('{}')
  const [first = ''] = several
  if (several.size > 0 && first !== bare) return several.size === 1 ? readArguments(first) : undefined
  const last = lastOfGrowing(bare)
  if (last !== undefined) return last
  return repairJson(bare)
}

/** Returns a text without the code fence around it. */
export function withoutFence(text: string): string {
  const bare = text.trim()
  if (!bare.startsWith('```') || !bare.endsWith('```') || bare.length < 6) return bare
  return bare
    .slice(3, -3)
    .replace(/^[a-z_]+/i, '')
    .trim()
}

/** Maximum places at which the last of several growing texts is looked for. */
const MAX_PLACES = 20

/** Returns the whole arguments when each piece repeated all of them so far; undefined otherwise. */
function lastOfGrowing(text: string): unknown {
  let at = text.length
  for (let place = 0; place < MAX_PLACES; place++) {
    at = text.lastIndexOf('{', at - 1)
    if (at <= 0) return undefined
    const value = tryJson(text.slice(at))
    if (value !== undefined && growsTo(text.slice(0, at), text.slice(at))) return value
  }
  return undefined
}

/** Returns whether a text consists of beginnings of the whole one. */
function growsTo(pieces: string, whole: string): boolean {
  let from = 0
  let length = 0
  for (let at = 0; at < pieces.length; at++) {
    if (pieces[at] === whole[length]) length += 1
    else if (length > 0 && pieces[at] === whole[0]) {
      from = at
      length = 1
    } else return false
  }
  return from < pieces.length
}

/** Unwraps arguments from an envelope or a list of one element. */
function unwrap(value: unknown, { name, input_schema }: ModelTool): unknown {
  const properties = record(input_schema.properties)
  if (Array.isArray(value))
    return value.length === 1 && isRecord(value[0])
      ? unwrap(value[0], { name, input_schema, description: '' })
      : value
  if (!isRecord(value)) return value
  const keys = Object.keys(value)
  const envelope = keys.find((key) => ENVELOPES.includes(key) && !(key in properties))
  const others = keys.filter((key) => key !== envelope)
  if (
    !envelope ||
    others.some((key) => key in properties || !['name', 'tool', 'function', 'type', 'id'].includes(key))
  )
    return value
  const inner = value[envelope]
  const opened = typeof inner === 'string' ? readArguments(inner.trim()) : inner
  return isRecord(opened) ? opened : value
}

/** Converts strings to the number, boolean, list or object that the schema wants. Drops null where a property is optional. */
function fitValue(value: unknown, schema: JsonSchema, depth = 0): unknown {
  if (!isRecord(value) || depth > 8) return value
  const properties = record(schema.properties)
  const required = Array.isArray(schema.required) ? schema.required : []
  const entries = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const wanted = properties[name]
    if (!isRecord(wanted)) return [[name, one]]
    if (one === null && !required.includes(name) && !takesNull(wanted)) return []
    return [[name, fitValue(coerce(one, wanted), wanted, depth + 1)]]
  })
  return Object.fromEntries(entries)
}

function coerce(value: unknown, { type }: JsonSchema): unknown {
  if (typeof value !== 'string' || typeof type !== 'string') return value
  const text = value.trim()
  if ((type === 'number' || type === 'integer') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if ((type === 'array' && text.startsWith('[')) || (type === 'object' && text.startsWith('{')))
    return readArguments(text) ?? value
  return value
}

function takesNull({ type, anyOf, nullable, enum: values }: JsonSchema): boolean {
  const variants = Array.isArray(anyOf) ? anyOf.filter(isRecord) : []
  const isTyped = type !== undefined || variants.length > 0 || values !== undefined
  if (!isTyped || nullable === true || [type].flat().includes('null')) return true
  return (Array.isArray(values) && values.includes(null)) || variants.some(takesNull)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
