import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import type { JsonSchema, ModelTool, ToolCallPart } from '../../port.ts'
import { callRulesOf } from '../../provider/providers.ts'
import { aboutOf } from '../learned.ts'
import { type FittedSchema, fitSchema, type SchemaRules } from './fit-schema.ts'
import { hasNames, type NameTree, renameBack, renameForth } from './names.ts'

/** Tool names that the strictest provider accepts. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
/** OpenAI's limit. Others accept more, but this is enough for all. */
const MAX_DESCRIPTION = 1_024

/** Tools in a provider's form, with the mapping between its names and ours. */
export type FittedTools = {
  tools: ModelTool[]
  /** Converts a call of the history to the provider's names. */
  forth: (call: ToolCallPart) => ToolCallPart
  /** Converts a new call of the model to our names. */
  back: (call: ToolCallPart) => ToolCallPart
  /** Returns the provider's name of a tool. */
  nameOf: (name: string) => string
}

type Entry = { tool: ModelTool; fitted: ModelTool; names: NameTree }

/** Fits names, descriptions and schemas to the dialect. Tools that a refusal named are simplified or left out. */
export function fitTools(
  tools: readonly ModelTool[],
  kind: string,
  facts: readonly Adaptation[],
): FittedTools {
  const isGoogle = callRulesOf(kind).hasGoogleSchemas ?? false
  const leftOut = new Set(aboutOf(facts, 'left_out_tool'))
  const plain = new Set(aboutOf(facts, 'plain_tool'))
  const used = new Set<string>()
  const entries = tools
    .filter(({ name }) => !leftOut.has(name))
    .map((tool): Entry => {
      const isPlain = plain.has(tool.name) || plain.has('*')
      const { schema, names } = fitOnce(tool.input_schema, { isPlain, isGoogle })
      const name = fitName(tool.name, used)
      used.add(name)
      return { tool, fitted: { name, description: cut(tool.description), input_schema: schema }, names }
    })
  const byOwn = new Map(entries.map((entry) => [entry.tool.name, entry]))
  const byFitted = new Map(entries.map((entry) => [entry.fitted.name, entry]))
  return {
    tools: entries.map(({ fitted }) => fitted),
    nameOf: (name) => byOwn.get(name)?.fitted.name ?? fitName(name, new Set()),
    forth: (call) => change(call, byOwn.get(call.name), ({ fitted }) => fitted.name, renameForth),
    back: (call) => change(call, byFitted.get(call.name), ({ tool }) => tool.name, renameBack),
  }
}

function change(
  call: ToolCallPart,
  entry: Entry | undefined,
  nameIn: (entry: Entry) => string,
  rename: (value: unknown, names: NameTree) => unknown,
): ToolCallPart {
  if (!entry) return NAME.test(call.name) ? call : { ...call, name: fitName(call.name, new Set()) }
  const name = nameIn(entry)
  if (!hasNames(entry.names)) return name === call.name ? call : { ...call, name }
  const value = tryJson(call.input || '{}')
  return {
    ...call,
    name,
    input: value === undefined ? call.input : JSON.stringify(rename(value, entry.names)),
  }
}

/** A run freezes its schemas, so each is fitted once for all its calls. */
const fittedBefore = new WeakMap<JsonSchema, Map<string, FittedSchema>>()

function fitOnce(schema: JsonSchema, rules: SchemaRules): FittedSchema {
  const key = `${rules.isPlain} ${rules.isGoogle}`
  const known = fittedBefore.get(schema) ?? new Map<string, FittedSchema>()
  fittedBefore.set(schema, known)
  const fitted = known.get(key) ?? fitSchema(schema, rules)
  known.set(key, fitted)
  return fitted
}

function fitName(name: string, used: ReadonlySet<string>): string {
  const plain = NAME.test(name)
    ? name
    : name
        .replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
        .replace(/^(?![a-zA-Z_])/, '_')
        .slice(0, 60)
  let fitting = plain
  for (let count = 2; used.has(fitting); count++) fitting = `${plain.slice(0, 60)}_${count}`
  return fitting
}

function cut(description: string): string {
  return description.length <= MAX_DESCRIPTION
    ? description
    : `${description.slice(0, MAX_DESCRIPTION - 1).toWellFormed()}…`
}
