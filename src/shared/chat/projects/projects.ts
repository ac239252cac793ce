import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, label, Notice, prose, queryInt, text } from '../../platform/primitives.ts'
import { ProjectColour, ProjectIcon } from './looks.ts'
import { ProjectRole } from './roles.ts'

/** Maximum number of listed projects of a person. */
export const MAX_PROJECTS = 200
/** Maximum characters of the instructions of a project. */
export const MAX_INSTRUCTIONS = 20_000
/** Number of versions of the instructions that are kept. */
export const MAX_INSTRUCTION_VERSIONS = 100

/** A project as it is listed: a workspace that is not a person's default one. */
export const Project = z.object({
  id: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  colour: ProjectColour,
  icon: ProjectIcon,
  /** The role of the caller; the owner is a manager. */
  role: ProjectRole,
  is_owner: z.boolean(),
  /** True for a project that is read-only and hidden from lists. */
  is_archived: z.boolean(),
  /** True when it has members besides its owner. */
  is_shared: z.boolean(),
  document_count: z.int(),
  /** Chats the caller may read: their own, and those shared with the project. */
  chat_count: z.int(),
  unread_count: z.int(),
  is_pinned: z.boolean(),
  is_collapsed: z.boolean(),
})
export type Project = z.infer<typeof Project>

const Version = z.int().check(z.gte(0), z.lte(2_000_000_000))

export const ProjectDetails = z.extend(Project, {
  instructions: z.string(),
  /** 0 until instructions were saved. */
  instructions_version: Version,
  /** The assistant of new chats; its name is null when the caller may not use it. */
  assistant: z.nullable(z.object({ id: Id, name: z.nullable(z.string()) })),
  model_name: z.nullable(z.string()),
  /** Chats of the caller that are not shared with the project. */
  private_chat_count: z.int(),
  /** The owner and the members; a group counts once. */
  member_count: z.int(),
})
export type ProjectDetails = z.infer<typeof ProjectDetails>

const params = z.object({ workspaceId: Id })

export const listProjects = route({
  method: 'GET',
  path: '/projects',
  access: 'user',
  scope: 'chats',
  summary:
    'The caller’s projects in their order: pinned ones, those they moved, then by name; at most 200. Archived ones are listed apart',
  query: z.object({ archived: z._default(z.enum(['true', 'false']), 'false') }),
  answer: z.object({ items: z.array(Project).check(z.maxLength(MAX_PROJECTS)) }),
})

export const getProject = route({
  method: 'GET',
  path: '/projects/:workspaceId',
  access: 'user',
  scope: 'chats',
  may: 'read workspace',
  fails: ['not_found'],
  summary: 'One project with its instructions, default assistant and model',
  params,
  answer: ProjectDetails,
})

export const changeProject = route({
  method: 'PUT',
  path: '/projects/:workspaceId',
  access: 'user',
  may: 'manage workspace',
  fails: ['not_found', 'not_available', 'conflict'],
  summary:
    'Change a project. New instructions become a new version; it is a conflict when they are not based on the newest one',
  params,
  body: z.object({
    name: z.optional(label(1, 100)),
    description: z.nullish(text(0, 1000)),
    colour: z.optional(ProjectColour),
    icon: z.optional(ProjectIcon),
    instructions: z.optional(z.object({ text: prose(0, MAX_INSTRUCTIONS), based_on: Version })),
    assistant_id: z.optional(z.nullable(Id)),
    model_name: z.optional(z.nullable(text(1, MAX_MODEL_NAME))),
  }),
  answer: ProjectDetails,
})

const InstructionVersion = z.object({
  version: Version,
  text: z.string(),
  /** Person who saved it; null when the account was deleted. */
  saved_by: z.nullable(z.string()),
  /** It came with an archive, which does not say who wrote it. */
  is_imported: z.boolean(),
  created_at: z.string(),
})
export type InstructionVersion = z.infer<typeof InstructionVersion>

export const listInstructions = route({
  method: 'GET',
  path: '/projects/:workspaceId/instructions',
  access: 'user',
  may: 'read workspace',
  summary: 'Versions of the instructions, newest first. Pass the last one as `before` for older ones',
  params,
  query: z.object({
    before: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(2_000_000_000))),
    limit: queryInt({ min: 1, max: 50, fallback: 20 }),
  }),
  answer: z.object({ items: z.array(InstructionVersion), has_more: z.boolean() }),
})

/** New place and sharing of one chat. Absent fields stay; a chat that changes its project is private again. */
const ChatPlace = z.object({
  session_id: Id,
  /** Null for no project. */
  workspace_id: z.optional(z.nullable(Id)),
  /** True when members of its project may read it. */
  is_shared: z.optional(z.boolean()),
})
export type ChatPlace = z.infer<typeof ChatPlace>

/** Maximum chats moved with one call. */
export const MAX_MOVED = 200

const PlacedChat = z.object({ session_id: Id, workspace_id: z.nullable(Id), is_shared: z.boolean() })
export type PlacedChat = z.infer<typeof PlacedChat>

export const placeChats = route({
  method: 'PUT',
  path: '/session-projects',
  access: 'user',
  scope: 'chats',
  fails: ['not_found'],
  summary:
    'Move the caller’s own chats into or out of projects, and share them with their project. All of them change, or none',
  body: z.object({ items: z.array(ChatPlace).check(z.minLength(1), z.maxLength(MAX_MOVED)) }),
  answer: z.object({ items: z.array(PlacedChat).check(z.maxLength(MAX_MOVED)) }),
})

const ProjectMark = z.object({
  workspace_id: Id,
  is_pinned: z.optional(z.boolean()),
  is_collapsed: z.optional(z.boolean()),
})
export type ProjectMark = z.infer<typeof ProjectMark>

export const markProjects = route({
  method: 'PUT',
  path: '/project-marks',
  access: 'user',
  scope: 'chats',
  summary: 'Pin or collapse projects in the caller’s sidebar. Projects that are gone are left out',
  body: z.object({ items: z.array(ProjectMark).check(z.minLength(1), z.maxLength(MAX_PROJECTS)) }),
  answer: Notice,
})

export const orderProjects = route({
  method: 'PUT',
  path: '/project-marks/order',
  access: 'user',
  scope: 'chats',
  summary: 'Move a project in the caller’s sidebar: before another one, or to the end',
  body: z.object({ workspace_id: Id, before: z.nullable(Id) }),
  answer: Notice,
})
