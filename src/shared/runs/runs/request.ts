import * as z from 'zod/mini'
import { Outward } from '../../platform/outward.ts'
import { record, text } from '../../platform/primitives.ts'

/** Why a run waits: it has a question, a tool needs leave to run, or a call was interrupted. */
export const InputKind = z.enum(['question', 'approval', 'interrupted'])
export type InputKind = z.infer<typeof InputKind>

export const FieldType = z.enum(['text', 'json', 'boolean', 'document', 'image', 'audio', 'video'])
export type FieldType = z.infer<typeof FieldType>

/** One of several things a request asks for; `name` is its key in the composite answer. */
export const InputField = z.object({
  name: z.string(),
  label: z.string(),
  type: FieldType,
  required: z.boolean(),
  /** What stands in a field of text until the person changes it. */
  value: z.optional(z.string()),
})
export type InputField = z.infer<typeof InputField>

/** The call a request is about. `input` is what the model asked for, `input_schema` what the tool takes. */
export const AskedTool = z.object({
  tool_execution_id: z.string(),
  tool_id: z.string(),
  tool_name: z.string(),
  /** Of a tool somebody made: the one the run began with. */
  tool_version: z.optional(z.number()),
  input: z.optional(z.unknown()),
  input_schema: z.optional(z.record(z.string(), z.unknown())),
  /** The assistant whose policy the person may change so that it asks no more; without it their own. */
  assistant: z.optional(z.object({ id: z.string(), name: z.string() })),
  /** What leaves the house with it, and to where. */
  outward: z.optional(Outward),
})
export type AskedTool = z.infer<typeof AskedTool>

/** What a request says beside its prompt; on the event and on the block. Absent in requests of older runs. */
export const requestDetails = {
  kind: z.optional(InputKind),
  fields: z.optional(z.array(InputField)),
  tool: z.optional(AskedTool),
  /** What counts as the answer when the deadline passes; without it the run ends. */
  default: z.optional(z.object({ input: z.unknown(), input_type: z.string() })),
  /** It may be answered with `skipped`: the work goes on without it. */
  skippable: z.optional(z.boolean()),
}

/** The types an answer may be sent as. */
export const InputType = z.enum([
  ...(['text', 'json', 'boolean', 'composite', 'multi'] as const),
  ...(['image', 'audio', 'video', 'file', 'document'] as const),
  /** No answer: the person wants the work to go on without one. */
  'skipped',
])
export type InputType = z.infer<typeof InputType>

/** The answer to an approval: the call as it is, with other arguments, or not at all. */
export const Approval = z.object({
  approved: z.boolean(),
  arguments: z.optional(record(200, z.unknown())),
  /** Told to the model with a refusal. */
  reason: z.optional(text(0, 2000)),
  /** Further calls of the tool to the same hosts need no approval in this chat; counts where the request offers it. */
  for_chat: z.optional(z.boolean()),
})
export type Approval = z.infer<typeof Approval>

/** A stored file as an answer names it. */
export const InputFile = z.object({
  id: z.string(),
  name: z.string(),
  media_type: z.string(),
  size: z.int(),
  /** What is said in a recording, as it was written down and corrected. */
  transcript: z.optional(z.string()),
})
export type InputFile = z.infer<typeof InputFile>

/** What may be answered to an interrupted call. */
export const interruptedAnswers = ['retry', 'skip', 'stop'] as const

const composites: ReadonlySet<string> = new Set(['composite', 'multi'])
const known: ReadonlySet<string> = new Set([...FieldType.options, 'file', ...composites])

type Asked = { input_types: readonly string[]; fields?: readonly InputField[] | undefined }

/**
 * The fields of a request: those it names, else one per input type. `label` is empty where the request gave
 * none. Null when it asks for something nobody here can give.
 */
export function fieldsOf({ input_types, fields }: Asked): InputField[] | null {
  if (fields && fields.length > 0) return [...fields]
  if (input_types.length === 0 || input_types.some((type) => !known.has(type))) return null
  const types = input_types.flatMap((type) => (composites.has(type) ? ['text', 'json', 'document'] : [type]))
  return [...new Set(types.map((type) => (type === 'file' ? 'document' : type)))].map((type) => ({
    ...{ name: type, label: '', type: type as FieldType, required: false },
  }))
}
