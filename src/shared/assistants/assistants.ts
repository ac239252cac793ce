import * as z from 'zod/mini'
import { route } from '../http.ts'
import { Id, Notice, queryInt, text, trimmed } from '../primitives.ts'
import { AgentType } from '../sessions/sessions.ts'

export const AssistantStatus = z.enum(['draft', 'published'])

const Temperature = z.nullable(z.number().check(z.gte(0), z.lte(2)))

const fields = {
  name: trimmed(1, 100),
  description: trimmed(0, 500),
  /** The name of an icon of the set. */
  icon: z.nullable(text(0, 50)),
  agent_type: AgentType,
  /** Null: the model of the session, else the installation's. */
  model_name: z.nullable(text(0, 200)),
  system_prompt: text(0, 50_000),
  example_prompts: z.array(trimmed(1, 1_000)).check(z.maxLength(20)),
  temperature: Temperature,
  documents: z.array(Id).check(z.maxLength(1_000)),
  /** Ids of the tools it may use; null for all there are. */
  tools: z.nullable(z.array(text(1, 100)).check(z.maxLength(100))),
  /** Only published ones are offered to others and to orchestrators. */
  status: AssistantStatus,
  /** Whether everybody of a company may use it; only its administrators share with it. */
  shared: z.boolean(),
}

export const Assistant = z.object({
  id: Id,
  ...fields,
  /** Made by the caller. */
  own: z.boolean(),
  /** Part of the product: cannot be changed. */
  built_in: z.boolean(),
  can_edit: z.boolean(),
  document_count: z.int(),
  /** Null: all tools there are. */
  tool_count: z.nullable(z.int()),
  created_at: z.nullable(z.string()),
  updated_at: z.nullable(z.string()),
})
export type Assistant = z.infer<typeof Assistant>

const long = { system_prompt: true, example_prompts: true, documents: true, tools: true } as const
/** An assistant in a list: without what makes it long, so that a page stays small. */
export const ListedAssistant = z.omit(Assistant, long)
export type ListedAssistant = z.infer<typeof ListedAssistant>

export const AssistantFields = z.object(fields)
/** A draft needs a name and nothing more. */
export const NewAssistant = z.extend(z.partial(AssistantFields), { name: fields.name })
export type NewAssistant = z.infer<typeof NewAssistant>
export const AssistantChanges = z.partial(AssistantFields)
export type AssistantChanges = z.infer<typeof AssistantChanges>

/** The assistants that are part of the product. */
export const builtInIds = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)

const Params = z.object({ assistantId: Id })

/** The most a page of the list holds. */
export const ASSISTANTS_PAGE = 50

export const listAssistants = route({
  method: 'GET',
  path: '/assistants',
  access: 'user',
  scope: 'assistants',
  summary:
    'The assistants the caller may use: own ones newest first, the built-in ones, then those others share. A full page may have another after it: pass the id of its last one as `after`',
  query: z.object({
    after: z.optional(Id),
    limit: queryInt({ min: 1, max: ASSISTANTS_PAGE, fallback: ASSISTANTS_PAGE }),
  }),
  answer: z.array(ListedAssistant),
})

export const getAssistant = route({
  method: 'GET',
  path: '/assistants/:assistantId',
  access: 'user',
  scope: 'assistants',
  may: 'read assistant',
  summary: 'One assistant',
  params: Params,
  answer: Assistant,
})

export const createAssistant = route({
  method: 'POST',
  path: '/assistants',
  access: 'user',
  summary: 'Create an assistant',
  status: 201,
  body: NewAssistant,
  answer: Assistant,
})

export const updateAssistant = route({
  method: 'PUT',
  path: '/assistants/:assistantId',
  alsoMethods: ['PATCH'],
  access: 'user',
  may: 'write assistant',
  summary: 'Change an assistant; what is left out stays',
  params: Params,
  body: AssistantChanges,
  answer: Assistant,
})

export const deleteAssistant = route({
  method: 'DELETE',
  path: '/assistants/:assistantId',
  access: 'user',
  may: 'manage assistant',
  summary: 'Delete an assistant; its chats go on without it',
  params: Params,
  answer: Notice,
})
