import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import type { ModelTool, ToolCallPart } from '../../port.ts'
import { findTool, repairCall } from './repair-call.ts'

/**
 * Where a tool call may begin that a model writes as text, because its server has no parser for it: Hermes and Qwen
 * (`<tool_call>`), Llama (`<|python_tag|>`, `<function=…>`, bare JSON), Mistral (`[TOOL_CALLS]`), DeepSeek, Kimi, GLM,
 * gpt-oss (`to=functions.…`), Claude (`<invoke>`) and Granite.
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
  ...['<|channel|>commentary to=', '<｜DSML｜', '<minimax:tool_call>'],
] as const

type Found = { name: string; input: string }

/** The calls in a text; null when it is no call of these tools. Ids are numbered from 1. */
export function readWrittenCalls(text: string, tools: readonly ModelTool[]): ToolCallPart[] | null {
  const found = readTagged(text) ?? readJson(text)
  if (!found || found.length === 0 || !found.every(({ name }) => findTool(name, tools))) return null
  return found.map(({ name, input }, at) =>
    repairCall({ type: 'tool-call', id: `call_${at + 1}`, name, input }, tools),
  )
}

/** Calls in one of the forms that have signs of their own. */
function readTagged(text: string): Found[] | null {
  const ways = [
    readXmlParameters,
    readNamedFunctions,
    readGlm,
    readSeparated,
    readMistral,
    readInvoke,
    readBodies,
  ]
  for (const way of ways) {
    const found = way(text)
    if (found.length > 0) return found
  }
  return null
}

/** `<function=name><parameter=a>6</parameter></function>` (Qwen Coder) */
function readXmlParameters(text: string): Found[] {
  return [...text.matchAll(/<function=([\w.-]+)>\s*(<parameter=[\s\S]*?)(?:<\/function>|$)/g)].map(
    ([, name = '', body = '']) => ({
      name,
      input: pairs(body.matchAll(/<parameter=([\w.-]+)>\n?([\s\S]*?)\n?<\/parameter>/g)),
    }),
  )
}

/** `<function=name>{…}</function>`, `<function=name{…}>` (Llama) */
function readNamedFunctions(text: string): Found[] {
  return [...text.matchAll(/<function=([\w.-]+)>?\s*(\{[\s\S]*?\})\s*(?:<\/?function>|>|$)/g)].map(
    ([, name = '', input = '']) => ({ name, input }),
  )
}

/** `<tool_call>name <arg_key>a</arg_key><arg_value>6</arg_value></tool_call>` (GLM) */
function readGlm(text: string): Found[] {
  return [...text.matchAll(/<tool_call>\s*([\w.-]+)\s*(<arg_key>[\s\S]*?)<\/tool_call>/g)].map(
    ([, name = '', body = '']) => ({
      name,
      input: pairs(body.matchAll(/<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g)),
    }),
  )
}

/** Kimi, DeepSeek and gpt-oss: the name, a separator, the arguments. */
function readSeparated(text: string): Found[] {
  const forms = [
    /<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>\s*([\s\S]*?)\s*<\|tool_call_end\|>/g,
    /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)\s*(?:<｜tool▁sep｜>)?\s*(?:```json)?\s*(\{[\s\S]*?\})\s*(?:```)?\s*<｜tool▁call▁end｜>/g,
    /to=([\w.-]+)[^{]*?<\|message\|>\s*(\{[\s\S]*?\})\s*(?:<\|call\|>|$)/g,
  ]
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map(([, name = '', input = '']) => ({ name, input })),
  )
}

/** `[TOOL_CALLS][{…}]`, `[TOOL_CALLS]name[ARGS]{…}`, `[TOOL_CALLS]name{…}` (Mistral) */
function readMistral(text: string): Found[] {
  const at = text.indexOf('[TOOL_CALLS]')
  if (at < 0) return []
  const named = [
    ...text
      .slice(at)
      .matchAll(
        /\[TOOL_CALLS\]\s*([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(\{[\s\S]*?\})\s*(?=\[TOOL_CALLS\]|$)/g,
      ),
  ]
  if (named.length > 0) return named.map(([, name = '', input = '']) => ({ name, input }))
  return readList(text.slice(at + '[TOOL_CALLS]'.length))
}

/** `<invoke name="…"><parameter name="…">…</parameter></invoke>` (Claude, MiniMax) */
function readInvoke(text: string): Found[] {
  return [...text.matchAll(/<(?:｜DSML｜)?invoke name="([\w.-]+)">([\s\S]*?)<\/(?:｜DSML｜)?invoke>/g)].map(
    ([, name = '', body = '']) => ({
      name,
      input: pairs(
        body.matchAll(/<(?:｜DSML｜)?parameter name="([\w.-]+)"[^>]*>([\s\S]*?)<\/(?:｜DSML｜)?parameter>/g),
      ),
    }),
  )
}

/** JSON between or behind the other marks (Hermes, Llama, Granite). */
function readBodies(text: string): Found[] {
  const between = [
    ...text.matchAll(/<(tool_calls?|function_calls?|functioncall|tools)>\s*([\s\S]*?)\s*(?:<\/\1>|$)/g),
  ].flatMap(([, , body = '']) => readList(body))
  if (between.length > 0) return between
  const behind = /<\|python_tag\|>|<\|tool_call(?:_start)?\|>/.exec(text)
  return behind ? readList(text.slice(behind.index + behind[0].length).replaceAll(/<\|[^|]*\|>/g, '')) : []
}

/** A whole answer that is nothing but a call in JSON. */
function readJson(text: string): Found[] | null {
  const bare = text.trim().replace(/^```(?:json|tool_call|tool_code)?\s*([\s\S]*?)\s*```$/, '$1')
  if (!/^[[{]/.test(bare) || !/"(?:name|function|tool|tool_name)"/.test(bare)) return null
  const found = readList(bare)
  return found.length > 0 ? found : null
}

/** One or several calls in JSON: a list, lines, or objects with a `;` between them. */
function readList(body: string): Found[] {
  const whole = tryJson(body.trim())
  const values =
    whole === undefined ? body.split(/\n|;(?=\s*\{)/).map((line) => tryJson(line.trim())) : [whole]
  return values.flat().flatMap(readCall)
}

function readCall(value: unknown): Found[] {
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

/** Named values as a JSON object; a value that is JSON itself keeps its kind. */
function pairs(found: Iterable<RegExpMatchArray>): string {
  const entries = [...found].map(([, name = '', value = '']) => [
    name.trim(),
    tryJson(value.trim()) ?? value.trim(),
  ])
  return JSON.stringify(Object.fromEntries(entries))
}
