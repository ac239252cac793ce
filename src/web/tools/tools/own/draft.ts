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

/** An input being edited. `row` identifies the row whatever its name. */
export type DraftInput = HttpInput & { row: string }

/** Form state of an own tool. */
export type Draft = {
  ui_name: string
  description: string
  policy: ToolPolicy | null
  call: Omit<HttpCall, 'inputs' | 'answer'>
  inputs: DraftInput[]
  /** Comma-separated paths. */
  keep: string
  most_characters: number
  /** JSON Schema as text; empty for none. */
  schema: string
  auth: HttpAuth
  /** Newly entered secrets. */
  secrets: Record<string, string>
}

let rows = 0
const newRow = () => `row-${rows++}`

const emptyCall: HttpCall = {
  ...{ method: 'GET', address: '', inputs: [], media: 'application/json' },
  ...{ headers: {}, answer: plainAnswer, seconds: 20 },
}

/** Returns the initial draft: of an existing tool, or empty. */
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
    ...{ auth: own?.auth ?? { kind: 'none' }, secrets: {} },
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

/** Builds the call described by the form. @throws SyntaxError if the answer's schema is not valid JSON */
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

/** Builds the request body. @throws SyntaxError like `callOf` */
export function toBody(draft: Draft): NewTool {
  const { ui_name, description, policy, auth } = draft
  const secrets = Object.fromEntries(Object.entries(draft.secrets).filter(([, value]) => value !== ''))
  return { ui_name, description, policy, call: callOf(draft), auth, secrets }
}

/** Syncs path inputs with the address: adds an input per new name and removes those no longer named. */
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

/** Returns the draft as a tool, so that its inputs can be filled in. */
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
    ...{ said: null, shared_by: null, may_allow: true },
  }
}

/** Input types offered by the form. `other` preserves a schema the form cannot express. */
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
