import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import type { ModelTool, ToolCallPart } from '../../port.ts'
import { type FoundCall, readPython } from './python-calls.ts'
import { findTool, repairCall, withoutFence } from './repair-call.ts'

/** Marks of MiniMax M3 around each of its tags. */
const MINIMAX = ']<]minimax[>['

/**
 * Marks that may start a tool call in text. Models write calls as text when their server has no parser for them: Hermes and Qwen
 * (`<tool_call>`), Llama (`<|python_tag|>`, `<function=…>`, bare JSON), Mistral (`[TOOL_CALLS]`), DeepSeek, Kimi, GLM,
 * gpt-oss (`to=functions.…`), Claude (`<invoke>`), Granite, Nemotron, InternLM, Command R, and as Python (Llama 4, Gemma, LFM).
 */
export const CALL_MARKS = [
  ...[
    '<tool_call>',
    '<tool_calls>',
    '<function=',
    '<function_call',
    '<functioncall>',
    '<|python_tag|>',
    '[TOOL_CALLS]',
  ],
  ...[
    '<|tool_call',
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁call▁begin｜>',
    '<invoke ',
    '<function_calls>',
    '<tools>',
  ],
  ...['<|channel|>commentary to=', '<|start|>assistant', '<｜DSML｜', '<minimax:tool_call>', MINIMAX],
  ...['<seed:tool_call>', '<TOOLCALL>', '<|action_start|>', '<|python_start|>', '<start_function_call>'],
  ...['```tool_code', 'Action: ```json'],
] as const

/** Returns the calls in a text, or null when it holds anything but calls of these tools. Ids count from 1. */
export function readWrittenCalls(text: string, tools: readonly ModelTool[]): ToolCallPart[] | null {
  const found = readTagged(text) ?? readJson(text) ?? readPython(codeIn(text))
  if (!found || found.length === 0 || !found.every(({ name }) => findTool(name, tools))) return null
  return found.map(({ name, input }, at) =>
    repairCall({ type: 'tool-call', id: `call_${at + 1}`, name, input }, tools),
  )
}

/** Reads calls in a format that has its own marks. */
function readTagged(text: string): FoundCall[] | null {
  const ways = [
    readFunctions,
    readGlm,
    readKimi,
    readDeepSeek,
    readHarmony,
    readMistral,
    readInvoke,
    readGemma,
    readBodies,
  ]
  for (const way of ways) {
    const found = way(text)
    if (found.length > 0) return found
  }
  return null
}

/** Calls per answer. */
const MAX_SECTIONS = 128

/** Returns the texts between each pair of marks. The last may lack its closing mark. */
function sections(text: string, open: string, close: string): string[] {
  const found: string[] = []
  for (
    let from = text.indexOf(open);
    from >= 0 && found.length < MAX_SECTIONS;
    from = text.indexOf(open, from)
  ) {
    from += open.length
    const to = text.indexOf(close, from)
    found.push(text.slice(from, to < 0 ? undefined : to))
    if (to < 0) break
    from = to
  }
  return found
}

/** Returns the text before the first of the marks. */
function before(text: string, ...signs: string[]): string {
  const places = signs.map((sign) => text.indexOf(sign)).filter((at) => at >= 0)
  return places.length > 0 ? text.slice(0, Math.min(...places)) : text
}

const objectIn = (text: string) => text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1)

/** `<function=name><parameter=a>6</parameter></function>` (Qwen Coder), `<function=name>{…}</function>` (Llama) */
function readFunctions(text: string): FoundCall[] {
  return sections(text, '<function=', '</function>').map((body) => {
    const name = before(body, '>', '{').trim()
    if (!body.includes('<parameter=')) return { name, input: objectIn(body) }
    const values = sections(body, '<parameter=', '</parameter>').map((one) => {
      const key = before(one, '>')
      return [key.trim(), one.slice(key.length + 1).trim()] as const
    })
    return { name, input: toJson(values) }
  })
}

/** `<tool_call>name <arg_key>a</arg_key><arg_value>6</arg_value></tool_call>` (GLM) */
function readGlm(text: string): FoundCall[] {
  return sections(text, '<tool_call>', '</tool_call>')
    .filter((body) => body.includes('<arg_key>'))
    .map((body) => {
      const values = sections(body, '<arg_value>', '</arg_value>')
      const keys = sections(body, '<arg_key>', '</arg_key>')
      return {
        name: before(body, '<arg_key>').trim(),
        input: toJson(keys.map((key, at) => [key.trim(), values[at]?.trim() ?? ''] as const)),
      }
    })
}

function readKimi(text: string): FoundCall[] {
  return sections(text, '<|tool_call_begin|>', '<|tool_call_end|>').map((body) => {
    const name = before(body, '<|tool_call_argument_begin|>')
    return { name: name.trim(), input: objectIn(body.slice(name.length)) }
  })
}

/** The name may follow the word `function`, and a code fence may surround the arguments. */
function readDeepSeek(text: string): FoundCall[] {
  return sections(text, '<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>').map((body) => {
    const [first = '', second = ''] = before(body, '{').split('<｜tool▁sep｜>')
    const name = first.trim() === 'function' ? second : first
    return { name: before(name.trim(), '\n', '```').trim(), input: objectIn(body) }
  })
}

/** `to=functions.name <|message|>{…}<|call|>` (gpt-oss) */
function readHarmony(text: string): FoundCall[] {
  return sections(text, 'to=', '<|call|>')
    .filter((body) => body.includes('<|message|>'))
    .map((body) => ({ name: before(body, ' ', '<'), input: objectIn(body) }))
}

/** `[TOOL_CALLS][{…}]`, `[TOOL_CALLS]name[ARGS]{…}`, `[TOOL_CALLS]name{…}` (Mistral) */
function readMistral(text: string): FoundCall[] {
  return text
    .split('[TOOL_CALLS]', MAX_SECTIONS)
    .slice(1)
    .flatMap((piece) => {
      const body = piece.trim()
      if (body.startsWith('[') || body.startsWith('{')) return readList(body)
      return [{ name: before(body, '[', '{').trim(), input: objectIn(body) }]
    })
}

/** `<invoke name="…"><parameter name="…">…</parameter></invoke>` (Claude, MiniMax, DeepSeek) */
function readInvoke(text: string): FoundCall[] {
  const plain = text.replaceAll('｜DSML｜', '').replaceAll(MINIMAX, '')
  return sections(plain, '<invoke name="', '</invoke>').map((body) => {
    const rest = body.slice(body.indexOf('>') + 1)
    if (!body.includes('<parameter ')) return { name: before(body, '"'), input: toJson(elementsIn(rest)) }
    const values = sections(body, '<parameter name="', '</parameter>').map((one) => {
      const key = before(one, '"')
      return [key, one.slice(one.indexOf('>', key.length) + 1)] as const
    })
    return { name: before(body, '"'), input: toJson(values) }
  })
}

/** Returns the elements of a text by name: `<a>6</a>`. */
function elementsIn(text: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  for (let at = text.indexOf('<'); at >= 0 && found.length < MAX_SECTIONS; at = text.indexOf('<', at)) {
    const key = before(text.slice(at + 1), '>')
    const start = at + key.length + 2
    const end = text.indexOf(`</${key}>`, start)
    if (end < 0) break
    found.push([key, text.slice(start, end)])
    at = end + key.length + 3
  }
  return found
}

/** `<start_function_call>call:name{a:6,b:<escape>text<escape>}<end_function_call>` (FunctionGemma) */
function readGemma(text: string): FoundCall[] {
  return sections(text, '<start_function_call>call:', '<end_function_call>').map((body) => {
    const name = before(body, '{')
    const pieces = body.slice(name.length).split('<escape>')
    const json = pieces.map((piece, at) =>
      at % 2 === 1 ? JSON.stringify(piece) : piece.replaceAll(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":'),
    )
    return { name: name.trim(), input: json.join('') }
  })
}

const BODIES = [
  'TOOLCALL',
  'tool_calls',
  'tool_call',
  'function_calls',
  'function_call',
  'functioncall',
  'tools',
]
const OPENERS = ['<|plugin|>', '<|python_tag|>', '<|tool_call|>', '<|tool_call_start|>']

/** Reads JSON between or after the other marks (Hermes, Llama, Granite). */
function readBodies(text: string): FoundCall[] {
  for (const tag of BODIES) {
    const found = sections(text, `<${tag}>`, `</${tag}>`).flatMap(readList)
    if (found.length > 0) return found
  }
  const opener = OPENERS.find((one) => text.includes(one))
  return opener ? readList(before(text.slice(text.indexOf(opener) + opener.length), '<|')) : []
}

/** Returns the code between the marks of calls in Python, or the whole text. */
function codeIn(text: string): string {
  for (const [open, close] of PYTHON) if (text.includes(open)) return sections(text, open, close)[0] ?? ''
  return text
}
const PYTHON = [
  ['```tool_code', '```'],
  ['<|python_start|>', '<|python_end|>'],
  ['<|tool_call_start|>', '<|tool_call_end|>'],
] as const

/** Reads an answer that consists of calls in JSON only. */
function readJson(text: string): FoundCall[] | null {
  const bare = withoutFence(text.trim().replace(/^Action:\s+/, ''))
  if (!/^[[{]/.test(bare) || !/"(?:name|function|tool|tool_name)"/.test(bare)) return null
  const found = readList(bare)
  return found.length > 0 ? found : null
}

/** Reads calls in JSON: a list, lines, or objects separated by `;`. */
function readList(body: string): FoundCall[] {
  const whole = tryJson(body.trim())
  const values =
    whole === undefined ? body.split(/\n|;(?=\s*\{)/).map((line) => tryJson(line.trim())) : [whole]
  return values.flat().flatMap(readCall)
}

function readCall(value: unknown): FoundCall[] {
  if (typeof value !== 'object' || value === null) return []
  const given = value as Record<string, unknown>
  if (typeof given.function === 'object') return readCall(given.function)
  if (Array.isArray(given.tool_calls)) return given.tool_calls.flatMap(readCall)
  const name = [given.name, given.function, given.tool, given.tool_name].find(
    (one) => typeof one === 'string',
  )
  const args = given.arguments ?? given.parameters ?? given.args ?? given.input ?? given.tool_input
  if (typeof name !== 'string' || args === undefined) return []
  return [{ name, input: typeof args === 'string' ? args : JSON.stringify(args) }]
}

/** Returns named values as a JSON object. A value that is JSON itself keeps its type. */
function toJson(values: (readonly [string, string])[]): string {
  return JSON.stringify(
    Object.fromEntries(values.map(([name, value]) => [name, tryJson(value.trim()) ?? value.trim()])),
  )
}
