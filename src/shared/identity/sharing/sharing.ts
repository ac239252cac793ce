import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Notice, queryInt, text } from '../../platform/primitives.ts'

/** Maximum number of shares of one assistant, tool set or prompt. */
export const MAX_SHARES = 500
/** Recipients found per kind. */
const RECIPIENTS_LIMIT = 8

export const RecipientKind = z.enum(['everybody', 'company', 'group', 'person', 'project'])
export type RecipientKind = z.infer<typeof RecipientKind>

/** `everybody`: all people with an account on this installation. Only prompts are shared with projects. */
export const Recipient = z.discriminatedUnion('who', [
  z.object({ who: z.literal('everybody') }),
  z.object({ who: z.literal('company'), id: Id }),
  z.object({ who: z.literal('group'), id: Id }),
  z.object({ who: z.literal('person'), id: Id }),
  z.object({ who: z.literal('project'), id: Id }),
])
export type Recipient = z.infer<typeof Recipient>

/** The right of a recipient. `edit` is for companies, and for prompts also for groups, people and projects. */
export const Access = z.enum(['use', 'edit'])
export type Access = z.infer<typeof Access>

export const Share = z.object({
  id: Id,
  who: RecipientKind,
  /** Id of the company, group, person or project; null for everybody, and for recipients hidden from the caller. */
  recipient_id: z.nullable(Id),
  /** Null for everybody, for groups and people of companies that are not the caller's, and for projects the caller may not read. */
  name: z.nullable(z.string()),
  /** Company of a group, or the company a person was chosen in. */
  company: z.nullable(z.string()),
  access: Access,
  /** Null when the person's account is deleted. */
  shared_by: z.nullable(z.string()),
  created_at: z.string(),
  can_remove: z.boolean(),
})
export type Share = z.infer<typeof Share>

const Shares = z.object({
  /** At most `MAX_SHARES`. */
  items: z.array(Share),
  /** Recipients the caller may add: everybody, companies with their groups and people, and for prompts projects. */
  may: z.object({ everybody: z.boolean(), others: z.boolean(), projects: z.boolean() }),
})
export type Shares = z.infer<typeof Shares>

const NewShare = z.object({ recipient: Recipient, access: z._default(Access, 'use') })
const ofAssistant = z.object({ assistantId: Id })
const ofSet = z.object({ toolSetId: Id })
const ofPrompt = z.object({ promptId: Id })
const oneOfAssistant = z.extend(ofAssistant, { assistantShareId: Id })
const oneOfSet = z.extend(ofSet, { toolShareId: Id })

export const listAssistantShares = route({
  method: 'GET',
  path: '/assistants/:assistantId/shares',
  access: 'user',
  may: 'manage assistant',
  summary: 'With whom an assistant is shared, and by whom',
  params: ofAssistant,
  answer: Shares,
})

export const shareAssistant = route({
  method: 'POST',
  path: '/assistants/:assistantId/shares',
  access: 'user',
  may: 'manage assistant',
  fails: ['conflict', 'not_found'],
  summary:
    'Share an assistant with a company, a group or a person of a company where the caller may share; a super admin also with everybody',
  params: ofAssistant,
  body: NewShare,
  answer: Shares,
})

export const unshareAssistant = route({
  method: 'DELETE',
  path: '/assistants/:assistantId/shares/:assistantShareId',
  access: 'user',
  may: 'manage assistant',
  fails: ['not_found'],
  summary: 'End a share of an assistant at once',
  params: oneOfAssistant,
  answer: Notice,
})

export const listToolSetShares = route({
  method: 'GET',
  path: '/tool-sets/:toolSetId/shares',
  access: 'user',
  may: 'manage tool-set',
  summary: 'With whom tools or an MCP server are shared, and by whom',
  params: ofSet,
  answer: Shares,
})

export const shareToolSet = route({
  method: 'POST',
  path: '/tool-sets/:toolSetId/shares',
  access: 'user',
  may: 'manage tool-set',
  fails: ['conflict', 'not_found'],
  summary:
    'Share tools or an MCP server with a company, a group or a person of a company where the caller may share; a super admin also with everybody',
  params: ofSet,
  body: z.object({ recipient: Recipient }),
  answer: Shares,
})

export const unshareToolSet = route({
  method: 'DELETE',
  path: '/tool-sets/:toolSetId/shares/:toolShareId',
  access: 'user',
  may: 'manage tool-set',
  fails: ['not_found'],
  summary: 'End a share of tools or of an MCP server at once',
  params: oneOfSet,
  answer: Notice,
})

export const listPromptShares = route({
  method: 'GET',
  path: '/prompts/:promptId/shares',
  access: 'user',
  may: 'manage prompt',
  summary: 'With whom a prompt is shared, and by whom',
  params: ofPrompt,
  answer: Shares,
})

export const sharePrompt = route({
  method: 'POST',
  path: '/prompts/:promptId/shares',
  access: 'user',
  may: 'manage prompt',
  fails: ['conflict', 'not_found'],
  summary:
    'Share a prompt for use or for editing with a project to which the caller may add documents, or with a company, a group or a person of a company where the caller may share; a super admin also with everybody, for use. Members of a project edit it if their role adds documents',
  params: ofPrompt,
  body: NewShare,
  answer: Shares,
})

export const unsharePrompt = route({
  method: 'DELETE',
  path: '/prompts/:promptId/shares/:promptShareId',
  access: 'user',
  may: 'manage prompt',
  fails: ['not_found'],
  summary: 'End a share of a prompt at once',
  params: z.extend(ofPrompt, { promptShareId: Id }),
  answer: Notice,
})

export const FoundRecipient = z.object({
  who: z.enum(['company', 'group', 'person', 'project']),
  id: Id,
  name: z.string(),
  /** Company of a group; the owner of another one's project; the email address of a person for administrators, otherwise the username. */
  detail: z.nullable(z.string()),
})
export type FoundRecipient = z.infer<typeof FoundRecipient>

export const findRecipients = route({
  method: 'GET',
  path: '/share-recipients',
  access: 'user',
  summary: 'Companies, groups and people the caller may share with, by name; on request also projects',
  query: z.object({
    q: z.optional(text(0, 200)),
    /** Adds projects to which the caller may add documents. */
    projects: z.optional(z.literal('true')),
    /** Maximum number of each kind. */
    limit: queryInt({ min: 1, max: 50, fallback: RECIPIENTS_LIMIT }),
  }),
  answer: z.object({ items: z.array(FoundRecipient), has_more: z.boolean() }),
})
