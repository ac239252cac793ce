import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, label, MESSAGE_BODY_BYTES, Notice, queryInt, text, trimmed } from '../../platform/primitives.ts'
import { PromptFields } from './fields.ts'

/** Maximum number of prompts of one person. */
export const MAX_PROMPTS = 1_000
/** Maximum length of a prompt's text in characters, the same as of a message. */
export const MAX_PROMPT_TEXT = 1_000_000
const MAX_COMMAND = 60

/** The name typed after `/`: letters and digits, with single `-`, `_` or `.` inside. */
export const Command = text(1, MAX_COMMAND).check(
  z.regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*$/u, 'may contain letters, digits, -, _ and .'),
)

/** Settings for a chat that the prompt starts; null or empty: as in any chat. */
const start = {
  assistant_id: z.nullable(Id),
  model_name: z.nullable(text(1, MAX_MODEL_NAME)),
  /** Ids of the tools; null for the usual ones. */
  tools: z.nullable(z.array(text(1, 100)).check(z.maxLength(100))),
  documents: z.array(Id).check(z.maxLength(100)),
}

const fields = {
  name: label(1, 100),
  /** Unique among the prompts of a person, in any case. */
  command: Command,
  /** Text with placeholders such as `{{supplier}}`. */
  text: text(1, MAX_PROMPT_TEXT),
  fields: PromptFields,
  ...start,
}

export const PromptContent = z.object(fields)
export type PromptContent = z.infer<typeof PromptContent>
export const contentFields = Object.keys(fields) as (keyof PromptContent)[]

const facts = {
  id: Id,
  /** True when the caller made it. */
  own: z.boolean(),
  can_edit: z.boolean(),
  /** True when the caller may share and delete it. */
  can_share: z.boolean(),
  shared: z.boolean(),
  /** Person who shared it with the caller; null for own prompts. */
  shared_by: z.nullable(z.string()),
  updated_at: z.string(),
}

export const Prompt = z.object({ ...facts, ...fields, version: z.int() })
export type Prompt = z.infer<typeof Prompt>

/** A prompt in a list. */
export const ListedPrompt = z.object({
  ...facts,
  ...{ name: z.string(), command: z.string(), field_count: z.int() },
  /** Beginning of the text, at most 300 characters. */
  beginning: z.string(),
})
export type ListedPrompt = z.infer<typeof ListedPrompt>

export const NewPrompt = z.object({
  ...fields,
  fields: z._default(PromptFields, []),
  ...{ assistant_id: z._default(start.assistant_id, null), model_name: z._default(start.model_name, null) },
  ...{ tools: z._default(start.tools, null), documents: z._default(start.documents, []) },
})
export type NewPrompt = z.infer<typeof NewPrompt>

export const PromptChanges = z.extend(z.partial(PromptContent), {
  /** Version the changes are based on. Nothing is stored when a newer version exists. */
  version: z.optional(z.int().check(z.gte(0), z.lte(2_000_000_000))),
})
export type PromptChanges = z.infer<typeof PromptChanges>

const params = z.object({ promptId: Id })

/** Maximum number of prompts per page. */
export const PROMPTS_PAGE = 100

export const listPrompts = route({
  method: 'GET',
  path: '/prompts',
  access: 'user',
  scope: 'assistants',
  summary:
    'The prompts the caller may use, own ones first; `q` finds by name or command, with what begins with it first',
  query: z.object({
    q: z.optional(trimmed(0, 100)),
    skip: queryInt({ min: 0, max: 1_000_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: PROMPTS_PAGE, fallback: PROMPTS_PAGE }),
  }),
  answer: z.object({ items: z.array(ListedPrompt), total: z.int() }),
})

export const getPrompt = route({
  method: 'GET',
  path: '/prompts/:promptId',
  access: 'user',
  scope: 'assistants',
  may: 'read prompt',
  summary: 'One prompt with its text and fields',
  params,
  answer: Prompt,
})

export const createPrompt = route({
  method: 'POST',
  path: '/prompts',
  access: 'user',
  fails: ['conflict'],
  bodyLimit: MESSAGE_BODY_BYTES,
  summary: 'Create a prompt',
  status: 201,
  body: NewPrompt,
  answer: Prompt,
})

export const updatePrompt = route({
  method: 'PUT',
  path: '/prompts/:promptId',
  alsoMethods: ['PATCH'],
  access: 'user',
  fails: ['conflict'],
  may: 'write prompt',
  bodyLimit: MESSAGE_BODY_BYTES,
  summary: 'Change a prompt; what is left out stays',
  params,
  body: PromptChanges,
  answer: Prompt,
})

export const deletePrompt = route({
  method: 'DELETE',
  path: '/prompts/:promptId',
  access: 'user',
  may: 'manage prompt',
  fails: ['held'],
  summary: 'Delete a prompt with its versions and shares',
  params,
  answer: Notice,
})

export const duplicatePrompt = route({
  method: 'POST',
  path: '/prompts/:promptId/duplicate',
  access: 'user',
  fails: ['conflict'],
  may: 'read prompt',
  summary: 'Create an own, private prompt with the content of another one',
  status: 201,
  params,
  answer: Prompt,
})

/** Settings that the caller may not use, so that the chat does without them. */
export const LeftOut = z.object({
  assistant: z.boolean(),
  /** The model that is not connected or not offered. */
  model: z.nullable(z.string()),
  tools: z.int(),
  documents: z.int(),
})
export type LeftOut = z.infer<typeof LeftOut>

export const applyPrompt = route({
  method: 'PUT',
  path: '/sessions/:sessionId/prompt',
  access: 'user',
  fails: ['conflict', 'not_found'],
  may: 'write session',
  summary: 'Set up an empty chat with the assistant, model, tools and documents of a prompt',
  params: z.object({ sessionId: Id }),
  body: z.object({ prompt_id: Id }),
  answer: z.object({ left_out: LeftOut }),
})
