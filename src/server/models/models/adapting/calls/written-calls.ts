import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import type { ModelTool, ToolCallPart } from '../../port.ts'
import { withoutOuterFence } from './code-spans.ts'
import { createEndTrimmer } from './end-marks.ts'
import { elementsIn, readBareJson, readBody, readList } from './json-calls.ts'
import { splitJson } from './loose-json.ts'
import { type FoundCall, readPython } from './python-calls.ts'
import { findTool, repairCall } from './repair-call.ts'

/** Marks of MiniMax M3 around each of its tags. */
const MINIMAX = ']<]minimax[>['

/** Marks around calls in JSON, Python or elements. */
const PAIRS = [
  ...['TOOLCALL', 'tool_calls', 'tool_call', 'function_calls', 'function_call', 'functioncall'].map(inTags),
  ...['tools', 'tool_use', 'tool_code', 'longcat_tool_call', 'seed:tool_call', 'function'].map(inTags),
  ['[TOOL_REQUEST]', '[END_TOOL_REQUEST]'],
  ['```tool_code', '```'],
  ['```tool_call', '```'],
  ['<|plugin|>', '<|action_end|>'],
  ['<|python_start|>', '<|python_end|>'],
  ['<|python_tag|>', '<|'],
  ['<|tool_call_start|>', '<|tool_call_end|>'],
  ['<|tool_call|>', '<|'],
  ['<|tool_call>', '<tool_call|>'],
  ['<|tools_prefix|>', '<|tools_suffix|>'],
  ['<|START_ACTION|>', '<|END_ACTION|>'],
  ['<start_function_call>', '<end_function_call>'],
  ['functools[', '\n\n'],
] as const

function inTags(name: string): readonly [string, string] {
  return [`<${name}>`, `</${name}>`]
}

/** The mark of a call of gpt-oss whose special tokens a server removed. It follows thoughts without a blank. */
export const BARE_COMMENTARY = 'assistantcommentary to='
/** Beginnings of calls of Mistral whose mark a server sent without its brackets. */
const BARE_TOOL_CALLS = ['TOOL_CALLS[', 'TOOL_CALLS [', 'TOOL_CALLS{', 'TOOL_CALLS {']
/** Prefixes of the elements of Claude and Step. */
const NAMESPACES = ['antml:', 'steptml:']
/** The mark of Qwen-Agent. */
const FUNCTION = '✿FUNCTION✿:'
/** The mark of ReAct and Command R. */
export const ACTION = 'Action:'

/**
 * Marks that may start a tool call in text. Models write calls as text when their server has no parser for them: Hermes and Qwen
 * (`<tool_call>`), Llama (`<|python_tag|>`, `<function=…>`, bare JSON), Mistral (`[TOOL_CALLS]`), DeepSeek, Kimi, GLM,
 * gpt-oss (`to=functions.…`), Claude (`<invoke>`), Granite, Nemotron, InternLM, Command A and R, Phi, Apertus, Step, LM Studio, ReAct
 * (`Action: …`), Qwen-Agent, and as Python (Llama 4, Gemma, LFM, Olmo).
 */
export const CALL_MARKS = [
  ...PAIRS.map(([open]) => open),
  ...['<function=', '<function name="', '<function_call', '[TOOL_CALLS]', '<|tool_call', '<|action_start|>'],
  ...BARE_TOOL_CALLS,
  ...['<｜tool▁call', '<｜tool_call', '<|tool▁call', '<tool_call name="', '<tool name="', '<invoke ', ACTION],
  ...[...NAMESPACES.flatMap((name) => [`<${name}invoke `, `<${name}function_calls>`]), FUNCTION],
  ...[
    '<|channel|>commentary to=',
    'to=functions.',
    BARE_COMMENTARY,
    '<|start|>assistant',
    '<｜DSML｜',
    '<minimax:tool_call>',
    MINIMAX,
  ],
]

/** Returns the calls in a text, or null when it holds anything but calls of these tools. Ids count from 1. */
export function readWrittenCalls(text: string, tools: readonly ModelTool[]): ToolCallPart[] | null {
  const trimmer = createEndTrimmer()
  const ended = trimmer.push(text) + trimmer.end()
  // Command R writes a fence after the mark.
  const said = withoutOuterFence(ended.replace(/^\s*Action:\s*(?=```)/, ''))
  if (said === null) return null
  const tagged = readTagged(said)
  const found = tagged ?? readUntagged(said, tools)
  if (found.length === 0 || !found.every(({ name }) => findTool(name, tools))) return null
  const calls = found.map(({ name, input }, at) =>
    repairCall({ type: 'tool-call', id: `call_${at + 1}`, name, input }, tools),
  )
  // Without marks, an answer may be data that resembles a call.
  return tagged || calls.every((call) => isMeant(call, tools)) ? calls : null
}

function readUntagged(text: string, tools: readonly ModelTool[]): FoundCall[] {
  const bare = text.replace(/^\s*Action:\s*/, '')
  const ways = [readBareJson, (said: string) => readNamed(said, tools), readPython]
  for (const way of ways) {
    const found = way(bare)
    if (found.length > 0) return found
  }
  return []
}

/** Returns whether a call has no arguments, or one that its tool knows. */
function isMeant({ name, input }: ToolCallPart, tools: readonly ModelTool[]): boolean {
  const given = tryJson(input)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false
  const known = Object.keys(Object(findTool(name, tools)?.input_schema.properties))
  const keys = Object.keys(given)
  return keys.length === 0 || known.length === 0 || keys.some((key) => known.includes(key))
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
    readPairs,
    readReact,
    readQwenAgent,
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

/**
 * The name may follow the word `function`, and a code fence may surround the arguments. Quantized models and tokenizers write the marks
 * with other bars and underscores.
 */
function readDeepSeek(given: string): FoundCall[] {
  const text = given.replaceAll(/<[|｜]tool[▁_](calls?|sep)(?:[▁_](begin|end))?[|｜]>/g, (_, of, place) =>
    place ? `<｜tool▁${of}▁${place}｜>` : `<｜tool▁${of}｜>`,
  )
  return sections(text, '<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>').flatMap((body) => {
    const [first = '', second = ''] = before(body, '{').split('<｜tool▁sep｜>')
    if (second.includes(' name="')) return readInvoke(body)
    const name = first.trim() === 'function' ? second : first
    return { name: before(name.trim(), '\n', '```').trim(), input: objectIn(body) }
  })
}

/** `to=functions.name <|message|>{…}<|call|>` (gpt-oss) */
function readHarmony(text: string): FoundCall[] {
  return sections(text, 'to=', '<|call|>')
    .filter((body) => body.includes('<|message|>') || /^\S{1,100} {0,3}json\s{0,9}\{/.test(body))
    .map((body) => ({ name: before(body, ' ', '<'), input: objectIn(body) }))
}

/** `[TOOL_CALLS][{…}]`, `[TOOL_CALLS]name[ARGS]{…}`, `[TOOL_CALLS]name{…}` (Mistral) */
function readMistral(text: string): FoundCall[] {
  return text
    .replace(/^(\s*)TOOL_CALLS(?= ?[[{])/, '$1[TOOL_CALLS]')
    .split('[TOOL_CALLS]', MAX_SECTIONS)
    .slice(1)
    .flatMap((piece) => {
      const body = piece.trim()
      if (body.startsWith('[') || body.startsWith('{')) return readList(body)
      return [{ name: before(body, '[', '{').trim(), input: objectIn(body) }]
    })
}

/** `<invoke name="…"><parameter name="…">…</parameter></invoke>` (Claude, MiniMax, DeepSeek), with other names of the first tag. */
function readInvoke(text: string): FoundCall[] {
  const plain = [MINIMAX, '｜DSML｜', ...NAMESPACES].reduce((rest, one) => rest.replaceAll(one, ''), text)
  return ['invoke', 'function', 'tool', 'tool_call'].flatMap((tag) =>
    sections(plain, `<${tag} name="`, `</${tag}>`).map((body) => {
      const name = before(body, '"')
      const rest = body.slice(body.indexOf('>') + 1)
      if (rest.trim().startsWith('{')) return { name, input: objectIn(rest) }
      if (!body.includes('<parameter ')) return { name, input: toJson(elementsIn(rest)) }
      const values = sections(body, '<parameter name="', '</parameter>').map((one) => {
        const key = before(one, '"')
        return [key, one.slice(one.indexOf('>', key.length) + 1)] as const
      })
      return { name, input: toJson(values) }
    }),
  )
}

/** Reads what the first pair of marks with a call surrounds. */
function readPairs(text: string): FoundCall[] {
  for (const [open, close] of PAIRS) {
    // The bracket of a list belongs to it.
    const bodies = sections(text, open, close).map((body) => (open.endsWith('[') ? `[${body}` : body))
    const found = bodies.flatMap(readBody)
    if (found.length > 0) return found
  }
  return []
}

/** `Action: name`, `Action Input: {…}`, or `Action: name[text]` (ReAct). The model invents what follows. */
function readReact(text: string): FoundCall[] {
  const short = /^Action:[ \t]*([\w.-]{1,100})\[([^\n]*)\][ \t]*$/m.exec(text)
  if (short?.[1]) return [{ name: short[1], input: short[2] ?? '' }]
  const found = /^Action:[ \t]*([\w.-]{1,100})[ \t]*\n\s{0,20}Action Input:\s*(?:```\w*\s*)?/m.exec(text)
  const name = found?.[1]
  if (!name) return []
  const rest = text.slice(found.index + found[0].length)
  const said = before(rest, '\nObservation', '\nThought', '\nFinal Answer').trim()
  const [input] = splitJson(said)
  return [{ name, input: input ?? said }]
}

/** `✿FUNCTION✿: name`, `✿ARGS✿: {…}` (Qwen-Agent). The model invents the result after it. */
function readQwenAgent(text: string): FoundCall[] {
  return text
    .split(FUNCTION, MAX_SECTIONS)
    .slice(1)
    .map((body) => {
      const [name = '', input = ''] = body.split('✿ARGS✿:', 2)
      return { name: before(name.trim(), '\n'), input: before(input, '✿').trim() }
    })
}

/** An answer of nothing but names of tools, each before its arguments: `name{…}` (Mistral without its marks), `name\n{…}` (GLM-4). */
function readNamed(text: string, tools: readonly ModelTool[]): FoundCall[] {
  const inputs = splitJson(text)
  if (inputs.length > MAX_SECTIONS) return []
  const found: FoundCall[] = []
  let rest = text.trim()
  for (const input of inputs) {
    const at = rest.indexOf(input)
    const name = rest.slice(0, at).trim()
    if (!/^\{(?:\s*\}|[^:]+:)/.test(input) || !tools.some((tool) => tool.name === name)) return []
    found.push({ name, input })
    rest = rest.slice(at + input.length).trim()
  }
  return rest === '' ? found : []
}

/** Returns named values as a JSON object. A value that is JSON itself keeps its type. */
function toJson(values: (readonly [string, string])[]): string {
  return JSON.stringify(
    Object.fromEntries(values.map(([name, value]) => [name, tryJson(value.trim()) ?? value.trim()])),
  )
}
