import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import { repairJson, splitJson } from './loose-json.ts'
import { type FoundCall, readPython } from './python-calls.ts'

/** Keys of a call in JSON, by what they hold. */
const NAMES = ['name', 'function', 'tool', 'tool_name', 'function_name', 'action']
const INPUTS = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input']
const PACKED = ['function', 'function_call', 'tool_call', 'tool_calls']
/** Keys next to the name of a call without arguments. */
const BESIDE = ['type', 'id', 'tool_call_id', ...INPUTS]

/** Matches a text with a key of a call. */
export const CALL_KEYS =
  /"(?:name|tool|tool_name|function_name|action|function|function_call|tool_calls?)"\s*:/

/** Reads the text between the marks of a call: JSON, a name with JSON, Python, or elements. */
export function readBody(given: string): FoundCall[] {
  const body = given.trim()
  const named = /^(?:call:)?([\w.:-]{1,100})\s*(?=\{)/.exec(body)
  if (named?.[1]) return [{ name: named[1], input: withQuotedKeys(body.slice(named[0].length)) }]
  const listed = readList(body)
  if (listed.length > 0) return listed
  const { name, arguments: input = '{}' } = Object.fromEntries(elementsIn(body))
  return name === undefined ? readPython(body) : [{ name: name.trim(), input: input.trim() }]
}

/** Reads calls in JSON: one, a list, or several in a row. */
export function readList(body: string): FoundCall[] {
  const whole = parse(body.trim())
  const values = whole === undefined ? splitJson(body).map(parse) : [whole]
  return values.flat().flatMap(readCall)
}

/** Reads an answer that consists of calls in JSON only. A list of mere names is data. */
export function readBareJson(text: string): FoundCall[] {
  const bare = text.trim()
  if (!/^[[{]/.test(bare) || !CALL_KEYS.test(bare) || !isOnlyJson(bare)) return []
  const found = readList(bare)
  const isListOfNames = !bare.startsWith('{') && found.every(({ input }) => input === '{}')
  return isListOfNames ? [] : found
}

/** Returns whether nothing is between and after the values of a text but separators. */
function isOnlyJson(text: string): boolean {
  let from = 0
  for (const value of splitJson(text)) {
    const at = text.indexOf(value, from)
    if (!/^[\s,;]*$/.test(text.slice(from, at))) return false
    from = at + value.length
  }
  return from === 0 || /^[\s,;]*$/.test(text.slice(from))
}

/** Models forget the last bracket of a call, or double all brackets around it as templates do. */
const parse = (text: string): unknown =>
  tryJson(text) ??
  (/^\{\{.*\}\}$/s.test(text) ? tryJson(text.slice(1, -1)) : undefined) ??
  repairJson(text) ??
  (text.startsWith('{') ? tryJson(`${text}}`) : undefined)

function readCall(value: unknown): FoundCall[] {
  if (typeof value !== 'object' || value === null) return []
  const given = value as Record<string, unknown>
  const packed = PACKED.map((key) => given[key]).find((one) => typeof one === 'object' && one !== null)
  if (packed) return [packed].flat().flatMap(readCall)
  const name = NAMES.map((key) => given[key]).find((one) => typeof one === 'string')
  const keys = Object.keys(given)
  const [only = ''] = keys
  if (name === undefined && keys.length === 1) return isObject(given[only]) ? [found(only, given[only])] : []
  if (typeof name !== 'string') return []
  const key = INPUTS.find((one) => given[one] !== undefined)
  if (key) return [found(name, given[key] ?? {})]
  const isCall = keys.every((one) => BESIDE.includes(one) || given[one] === name)
  return isCall ? [found(name, {})] : []
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const found = (name: string, input: unknown): FoundCall => ({
  name,
  input: typeof input === 'string' ? input : JSON.stringify(input),
})

/** Returns the elements of a text by name: `<a>6</a>`. */
export function elementsIn(text: string): (readonly [string, string])[] {
  const elements: (readonly [string, string])[] = []
  for (let at = text.indexOf('<'); at >= 0 && elements.length < MAX_ELEMENTS; at = text.indexOf('<', at)) {
    const key = text.slice(at + 1, text.indexOf('>', at))
    const start = at + key.length + 2
    const end = text.indexOf(`</${key}>`, start)
    if (end < 0) break
    elements.push([key, text.slice(start, end)])
    at = end + key.length + 3
  }
  return elements
}

const MAX_ELEMENTS = 128

/** Gemma writes keys without quotes, and puts texts between marks: `{a:6,b:<escape>text<escape>}`. */
function withQuotedKeys(text: string): string {
  const pieces = text.split(/<escape>|<\|"\|>/)
  if (tryJson(text) !== undefined) return text
  return pieces
    .map((piece, at) =>
      at % 2 === 1 ? JSON.stringify(piece) : piece.replaceAll(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":'),
    )
    .join('')
}
