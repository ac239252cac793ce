import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, label, Notice, prose, queryInt, text } from '../../platform/primitives.ts'
import { AgentType } from '../../runs/runs/agent-type.ts'

export const AssistantStatus = z.enum(['draft', 'published'])

const Temperature = z.nullable(z.number().check(z.gte(0), z.lte(2)))

/** Access that members of a company get to a shared assistant. */
export const ShareAccess = z.enum(['use', 'edit'])
export type ShareAccess = z.infer<typeof ShareAccess>

const Share = z.object({ company_id: Id, access: ShareAccess })

const fields = {
  name: label(1, 100),
  description: prose(0, 500),
  /** Name of an icon in the icon set. */
  icon: z.nullable(text(0, 50)),
  agent_type: AgentType,
  /** Null: the model of the session, otherwise the installation's default. */
  model_name: z.nullable(text(0, MAX_MODEL_NAME)),
  system_prompt: text(0, 50_000),
  example_prompts: z.array(prose(1, 1_000)).check(z.maxLength(20)),
  temperature: Temperature,
  documents: z.array(Id).check(z.maxLength(1_000)),
  /** Workspaces whose documents the assistant may use, within the reading rights of the person in the chat. */
  workspaces: z.array(Id).check(z.maxLength(100)),
  /** Ids of the tools it may use; null for all tools. */
  tools: z.nullable(z.array(text(1, 100)).check(z.maxLength(100))),
  /** Only published assistants are offered to other people and to orchestrators. */
  status: AssistantStatus,
  /** True when it is shared. True shares it with the first company the caller administers, false ends every share of one's own. */
  shared: z.boolean(),
}

export const Assistant = z.object({
  id: Id,
  ...fields,
  /** True when the caller made it. */
  own: z.boolean(),
  /** True for a built-in assistant, which cannot be changed. */
  built_in: z.boolean(),
  can_edit: z.boolean(),
  /** True when the caller may share, embed, hand over and delete it: the owner and administrators of companies it is shared with. */
  can_share: z.boolean(),
  /** Person who shared it with the caller; null for own and built-in assistants. */
  shared_by: z.nullable(z.string()),
  /** Companies it is shared with; only for people who may edit it. Other shares are listed at `GET /assistants/:assistantId/shares`. */
  shares: z.array(z.extend(Share, { company: z.string() })),
  /** Number of the latest version; 0 for built-in assistants. */
  version: z.int(),
  /** True when the caller may transfer it to another owner now. */
  can_hand_over: z.boolean(),
  /** Pinned versions of own tools, by tool id; `newest_tools` updates them. */
  tool_versions: z.optional(z.record(z.string(), z.int())),
  document_count: z.int(),
  /** Null: all tools. */
  tool_count: z.nullable(z.int()),
  created_at: z.nullable(z.string()),
  updated_at: z.nullable(z.string()),
})
export type Assistant = z.infer<typeof Assistant>

const long = {
  ...({ system_prompt: true, example_prompts: true, tools: true } as const),
  ...({ documents: true, workspaces: true, tool_versions: true } as const),
  ...({ shares: true, version: true, can_hand_over: true } as const),
}
/** An assistant in a list, without its long fields. */
export const ListedAssistant = z.omit(Assistant, long)
export type ListedAssistant = z.infer<typeof ListedAssistant>

export const AssistantFields = z.object(fields)
/** The complete list of shares: companies left out lose access. Only companies the caller administers can be added. */
const shares = z.optional(z.array(Share).check(z.maxLength(100)))
/** A draft; only the name is required. */
export const NewAssistant = z.extend(z.partial(AssistantFields), {
  name: fields.name,
  shares,
  /** Assistant whose words these are. If they are by others, the copy counts as theirs too. */
  copied_from: z.optional(Id),
})
export type NewAssistant = z.infer<typeof NewAssistant>
export const AssistantChanges = z.extend(z.partial(AssistantFields), {
  /** True updates its own tools to their newest versions. */
  newest_tools: z.optional(z.boolean()),
  shares,
  /** Version the changes are based on. Nothing is stored when a newer version exists. */
  version: z.optional(z.int().check(z.gte(0), z.lte(2_000_000_000))),
})
export type AssistantChanges = z.infer<typeof AssistantChanges>

/** Ids of the built-in assistants. */
export const builtInIds = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)

const Params = z.object({ assistantId: Id })

/** Maximum number of assistants per page. */
export const ASSISTANTS_PAGE = 50

export const listAssistants = route({
  method: 'GET',
  path: '/assistants',
  access: 'user',
  fails: ['not_found'],
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
  fails: ['conflict', 'not_available', 'not_found'],
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
  fails: ['not_available', 'conflict'],
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
  fails: ['held'],
  summary: 'Delete an assistant; its chats go on without it',
  params: Params,
  answer: Notice,
})
