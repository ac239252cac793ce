import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, Notice, queryInt } from '../../platform/primitives.ts'
import { ProjectDetails } from '../projects/projects.ts'

const params = z.object({ projectId: Id })

export const archiveProject = route({
  method: 'PUT',
  path: '/projects/:projectId/archive',
  access: 'user',
  may: 'write project',
  fails: ['not_found'],
  summary:
    'Archive a project: it becomes read-only, lists hide it, and its schedules stop. Replies that are being written are finished',
  params,
  answer: ProjectDetails,
})

export const restoreProject = route({
  method: 'DELETE',
  path: '/projects/:projectId/archive',
  access: 'user',
  may: 'write project',
  fails: ['not_found'],
  summary: 'Restore an archived project. The schedules that its archiving stopped run again',
  params,
  answer: ProjectDetails,
})

/** The options for the chats and documents of a deleted project. */
export const Fate = z.enum(['keep', 'hand_over', 'delete'])
export type Fate = z.infer<typeof Fate>
export const ProjectContents = z.object({
  /** Chats of the caller, and chats that members shared with the project. */
  chats: z.int(),
  /** Private chats of other members. They always stay with their authors. */
  private_chats: z.int(),
  documents: z.int(),
  schedules: z.int(),
  facts: z.int(),
  /** Members besides the owner; a group counts once. */
  members: z.int(),
})
export type ProjectContents = z.infer<typeof ProjectContents>

export const countContents = route({
  method: 'GET',
  path: '/projects/:projectId/contents',
  access: 'user',
  may: 'manage project',
  summary: 'The numbers of things that the deletion of a project affects',
  params,
  answer: ProjectContents,
})

export const deleteProject = route({
  method: 'POST',
  path: '/projects/:projectId/deletion',
  access: 'user',
  may: 'manage project',
  fails: ['not_found', 'held'],
  summary:
    'Delete a project. Chats and documents stay with their authors, are handed to a member, or go to the trash. Private chats of other members stay with them',
  params,
  body: z.object({
    chats: Fate,
    documents: Fate,
    /** Person of the project to hand over to; required for `hand_over`. */
    member_id: z.optional(z.nullable(Id)),
  }),
  answer: Notice,
})

/** Maximum chats that a copy of a project takes over, the newest first. */
export const MAX_COPIED_CHATS = 50

export const duplicateProject = route({
  method: 'POST',
  path: '/projects/:projectId/copies',
  access: 'user',
  may: 'read project',
  fails: ['not_found', 'conflict'],
  summary:
    'Make a project with the instructions, prompts, look, assistant and model of another one. Documents, chats and memory are copied on request, each as far as the caller may read it. Prompts of others become prompts of the caller',
  params,
  status: 201,
  body: z.object({
    /** Chosen by the caller, so that a repeated request copies once. */
    id: Id,
    name: label(1, 100),
    documents: z._default(z.boolean(), false),
    chats: z._default(z.boolean(), false),
    memory: z._default(z.boolean(), false),
  }),
  answer: ProjectDetails,
})

export const UnmanagedProject = z.object({
  id: Id,
  name: z.string(),
  /** Null when the company was deleted. */
  company: z.nullable(z.string()),
  members: z.int(),
})
export type UnmanagedProject = z.infer<typeof UnmanagedProject>

export const UNMANAGED_PER_PAGE = 50

export const listUnmanagedProjects = route({
  method: 'GET',
  path: '/admin/unmanaged-projects',
  access: 'admin',
  summary:
    'Shared projects whose last manager left a company that the caller administers or is deactivated, by name',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: UNMANAGED_PER_PAGE }),
  }),
  answer: z.object({ items: z.array(UnmanagedProject), total: z.int(), has_more: z.boolean() }),
})

export const nameManager = route({
  method: 'PUT',
  path: '/admin/unmanaged-projects/:unmanagedProjectId/manager',
  access: 'admin',
  may: 'manage unmanaged-project',
  fails: ['not_found', 'held'],
  summary: 'Make a person of the company the owner of a project without a manager',
  params: z.object({ unmanagedProjectId: Id }),
  body: z.object({ user_id: Id }),
  answer: Notice,
})
