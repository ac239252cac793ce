import {
  changesData,
  type HttpAuth,
  type HttpCall,
  type HttpInput,
  plainAnswer,
} from '#shared/tools/own-tools/http-call.ts'
import type { NewTool, OwnTool } from '#shared/tools/own-tools/own-tools.ts'
import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'

/** An input while it is edited; `row` tells rows apart whatever they are called. */
export type DraftInput = HttpInput & { row: string }

/** What the form holds. */
export type Draft = {
  ui_name: string
  description: string
  policy: ToolPolicy | null
  call: Omit<HttpCall, 'inputs' | 'answer'>
  inputs: DraftInput[]
  /** Paths, separated by commas. */
  keep: string
  most_characters: number
  /** JSON Schema as text; empty for none. */
  schema: string
  auth: HttpAuth
  /** Those that are entered anew. */
  secrets: Record<string, string>
  companies: string[]
}

let rows = 0
const newRow = () => `row-${rows++}`

const emptyCall: HttpCall = {
  ...{ method: 'GET', address: '', inputs: [], media: 'application/json' },
  ...{ headers: {}, answer: plainAnswer, seconds: 20 },
}

/** What the form begins with. */
export function startDraft(own: OwnTool | null): Draft {
  const { inputs, answer, ...call } = own?.call ?? emptyCall
  return {
    ...{
      ui_name: own?.tool.ui_name ?? '',
      description: own?.tool.description ?? '',
      policy: own?.policy ?? null,
    },
    ...{ call, inputs: inputs.map((input) => ({ ...input, row: newRow() })), keep: answer.keep.join(', ') },
    most_characters: answer.most_characters,
    schema: answer.schema ? JSON.stringify(answer.schema, null, 2) : '',
    ...{ auth: own?.auth ?? { kind: 'none' }, secrets: {}, companies: own?.companies ?? [] },
  }
}

export function newInput(): DraftInput {
  return {
    row: newRow(),
    name: '',
    place: 'query',
    description: '',
    required: false,
    schema: { type: 'string' },
  }
}

/** The call the form describes. @throws SyntaxError for a schema of the answer that is no JSON */
export function callOf({ call, inputs, keep, most_characters, schema }: Draft): HttpCall {
  return {
    ...call,
    inputs: inputs.map(({ row: _, ...input }) => input),
    answer: {
      keep: keep
        .split(',')
        .map((path) => path.trim())
        .filter(Boolean),
      most_characters,
      schema: schema.trim() === '' ? null : (JSON.parse(schema) as Record<string, unknown>),
    },
  }
}

/** What is sent. @throws SyntaxError as `callOf` does */
export function toBody(draft: Draft): NewTool {
  const { ui_name, description, policy, auth, companies } = draft
  const secrets = Object.fromEntries(Object.entries(draft.secrets).filter(([, value]) => value !== ''))
  return { ui_name, description, policy, call: callOf(draft), auth, secrets, companies }
}

/** Inputs of the path as the address names them: one is added for each new name, and one that is named no more goes. */
export function followAddress(inputs: DraftInput[], address: string): DraftInput[] {
  const named = [...address.matchAll(/\{([A-Za-z_][\w-]{0,63})\}/g)].map(([, name]) => name ?? '')
  const kept = inputs.filter(
    ({ place, name, key, description }) =>
      place !== 'path' || named.includes(key ?? name) || description !== '',
  )
  const has = new Set(kept.filter(({ place }) => place === 'path').map(({ key, name }) => key ?? name))
  const added = [...new Set(named)].filter((name) => !has.has(name))
  return [...kept, ...added.map((name) => ({ ...newInput(), name, place: 'path' as const, required: true }))]
}

/** The draft as a tool whose inputs can be filled in. */
export function asTool({ inputs, ui_name, call }: Draft, id: string): Tool {
  const named = inputs.filter(({ name }) => name !== '')
  const properties = Object.fromEntries(
    named.map(({ name, schema, description }) => [name, { ...schema, description }]),
  )
  return {
    ...{ id, kind: 'api', name: id, ui_name, description: '', icon: null, ui_location: null },
    input_schema: { properties, required: named.filter(({ required }) => required).map(({ name }) => name) },
    ...{ example_responses: [], repeatable: !changesData(call.method), limit_seconds: call.seconds },
    ...{ price: 'unpriced', missing: [], policy: 'auto', own: true, version: null, account: null },
    ...{ said: null, may_allow: true },
  }
}

/** How an input is chosen in the form; `other` keeps a schema it has no words for. */
export const inputTypes = [
  'string',
  'number',
  'integer',
  'boolean',
  'choice',
  'array',
  'object',
  'other',
] as const
export type InputType = (typeof inputTypes)[number]

export function typeOf({ schema }: HttpInput): InputType {
  if (Array.isArray(schema.enum)) return 'choice'
  return inputTypes.find((type) => type === schema.type) ?? 'other'
}

export function schemaOf(type: InputType, before: HttpInput['schema']): HttpInput['schema'] {
  if (type === 'other') return before
  if (type === 'choice') return { type: 'string', enum: Array.isArray(before.enum) ? before.enum : [''] }
  return type === 'array' ? { type, items: { type: 'string' } } : { type }
}
