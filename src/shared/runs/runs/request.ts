import * as z from 'zod/mini'
import { Outward } from '../../platform/outward.ts'
import { record, text } from '../../platform/primitives.ts'

/** Reasons for an input request: a question, a tool that needs approval or an account, or an interrupted call. */
export const InputKind = z.enum(['question', 'approval', 'sign_in', 'interrupted'])
export type InputKind = z.infer<typeof InputKind>

/**
 * Kinds of fields, for questions of a run and for prompts. The value of `file` and of `document` is a file; a prompt takes
 * the `document` from the library.
 */
export const FieldType = z.enum([
  ...(['text', 'long_text', 'choice', 'number', 'date', 'boolean', 'json'] as const),
  ...(['file', 'document', 'image', 'audio', 'video'] as const),
])
export type FieldType = z.infer<typeof FieldType>

/** One field of a request; `name` is its key in the composite answer. */
export const InputField = z.object({
  name: z.string(),
  label: z.string(),
  type: FieldType,
  required: z.boolean(),
  /** Answers of a `choice`. */
  options: z.optional(z.array(z.string())),
  /** Initial value of a field with typed text. */
  value: z.optional(z.string()),
})
export type InputField = z.infer<typeof InputField>

/** Kind of the draft that a call outside shows for editing before it happens. */
export const DraftKind = z.enum(['mail', 'event', 'ticket', 'filing'])
export type DraftKind = z.infer<typeof DraftKind>

/** The call that a request is about. `input` comes from the model; `input_schema` is the tool's. */
export const AskedTool = z.object({
  tool_execution_id: z.string(),
  tool_id: z.string(),
  tool_name: z.string(),
  /** Version of an own tool at the start of the run. */
  tool_version: z.optional(z.number()),
  input: z.optional(z.unknown()),
  input_schema: z.optional(z.record(z.string(), z.unknown())),
  /** Assistant whose policy can be changed to stop further requests; without it, the person's own policy. */
  assistant: z.optional(z.object({ id: z.string(), name: z.string() })),
  /** Data that the call sends out of the installation, and its receivers. */
  outward: z.optional(Outward),
  /** Host of the account that the call needs, and the path of the page where the person connects it. */
  account: z.optional(z.object({ service: z.string(), page: z.string() })),
  /** Set when `input` is a draft. The call does exactly what it says. */
  draft: z.optional(DraftKind),
})
export type AskedTool = z.infer<typeof AskedTool>

/** A person or a group that a company named. */
export const Named = z.object({ kind: z.enum(['person', 'group']), id: z.string(), name: z.string() })
export type Named = z.infer<typeof Named>

/** The only people who may approve a call: never the person of the run. The deputy may from `deputy_from` on. */
export const NamedApprover = z.object({
  company_id: z.string(),
  /** Null when the person or group is gone. */
  by: z.nullable(Named),
  deputy: z.nullable(Named),
  deputy_from: z.nullable(z.string()),
})
export type NamedApprover = z.infer<typeof NamedApprover>

/** Details of a request, on the event and on the block. Absent in requests of older runs. */
export const requestDetails = {
  kind: z.optional(InputKind),
  fields: z.optional(z.array(InputField)),
  tool: z.optional(AskedTool),
  /** Answer used when the deadline passes; without it the run ends. */
  default: z.optional(z.object({ input: z.unknown(), input_type: z.string() })),
  /** True when the person may skip the request; the run then continues without an answer. */
  skippable: z.optional(z.boolean()),
  /** Set when only named people may approve the call. */
  approver: z.optional(NamedApprover),
}

/** Types of an answer. */
export const InputType = z.enum([
  ...(['text', 'json', 'boolean', 'composite', 'multi'] as const),
  ...(['image', 'audio', 'video', 'file', 'document'] as const),
  /** No answer: the run continues without one. */
  'skipped',
])
export type InputType = z.infer<typeof InputType>

/** Answer to an approval request: run the call as it is, with other arguments, or not at all. */
export const Approval = z.object({
  approved: z.boolean(),
  arguments: z.optional(record(200, z.unknown())),
  /** Reason of a refusal, passed to the model. */
  reason: z.optional(text(0, 2000)),
  /** Allows further calls of the tool to the same hosts in this chat, where the request offers it. */
  for_chat: z.optional(z.boolean()),
})
export type Approval = z.infer<typeof Approval>

/** Reference to a stored file in an answer. */
export const InputFile = z.object({
  id: z.string(),
  name: z.string(),
  media_type: z.string(),
  size: z.int(),
  /** Corrected transcript of a recording. */
  transcript: z.optional(z.string()),
})
export type InputFile = z.infer<typeof InputFile>

/** Possible answers for an interrupted call. */
export const interruptedAnswers = ['retry', 'skip', 'stop'] as const

const composites: ReadonlySet<string> = new Set(['composite', 'multi'])
const known: ReadonlySet<string> = new Set([...FieldType.options, 'file', ...composites])

type Asked = { input_types: readonly string[]; fields?: readonly InputField[] | undefined }

/**
 * Returns the fields of a request: those it names, otherwise one per input type. `label` is empty when the request
 * gives none. Returns null when no field can provide what it asks for.
 */
export function fieldsOf({ input_types, fields }: Asked): InputField[] | null {
  if (fields && fields.length > 0) return [...fields]
  if (input_types.length === 0 || input_types.some((type) => !known.has(type))) return null
  const types = input_types.flatMap((type) => (composites.has(type) ? ['text', 'json', 'document'] : [type]))
  return [...new Set(types.map((type) => (type === 'file' ? 'document' : type)))].map((type) => ({
    ...{ name: type, label: '', type: type as FieldType, required: false },
  }))
}
