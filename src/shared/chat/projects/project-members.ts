import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Notice } from '../../platform/primitives.ts'
import { ProjectRole } from './roles.ts'

/** Maximum members of a project; a group counts once. */
export const MAX_MEMBERS = 200

export const ProjectMember = z.object({
  /** Null for the owner, who has no membership that could end. */
  id: z.nullable(Id),
  who: z.enum(['person', 'group']),
  recipient_id: Id,
  name: z.string(),
  /** Company of a group; username of a person. */
  detail: z.nullable(z.string()),
  role: ProjectRole,
  is_me: z.boolean(),
  /** Number of people in a group; null for a person. */
  people: z.nullable(z.int()),
})
export type ProjectMember = z.infer<typeof ProjectMember>

const Members = z.object({
  /** The owner first, then by kind and name. */
  items: z.array(ProjectMember).check(z.maxLength(MAX_MEMBERS + 1)),
})
export type ProjectMembers = z.infer<typeof Members>

const ofProject = z.object({ workspaceId: Id })
const ofMember = z.extend(ofProject, { projectMemberId: Id })

export const listMembers = route({
  method: 'GET',
  path: '/projects/:workspaceId/members',
  access: 'user',
  may: 'read workspace',
  summary: 'The owner and the members of a project with their roles',
  params: ofProject,
  answer: Members,
})

export const addMember = route({
  method: 'POST',
  path: '/projects/:workspaceId/members',
  access: 'user',
  may: 'manage workspace',
  fails: ['conflict', 'not_found'],
  summary: 'Add a person or a group of a company where the caller may share. A member gets the new role',
  params: ofProject,
  body: z.object({
    recipient: z.object({ who: z.enum(['person', 'group']), id: Id }),
    role: ProjectRole,
  }),
  answer: Members,
})

export const changeMember = route({
  method: 'PATCH',
  path: '/projects/:workspaceId/members/:projectMemberId',
  access: 'user',
  may: 'manage workspace',
  fails: ['not_found'],
  summary: 'Give a member another role at once',
  params: ofMember,
  body: z.object({ role: ProjectRole }),
  answer: Members,
})

export const removeMember = route({
  method: 'DELETE',
  path: '/projects/:workspaceId/members/:projectMemberId',
  access: 'user',
  may: 'manage workspace',
  fails: ['not_found'],
  summary: 'Remove a member. Their access ends at once, in open streams too',
  params: ofMember,
  answer: Notice,
})

export const leaveProject = route({
  method: 'DELETE',
  path: '/projects/:workspaceId/membership',
  access: 'user',
  may: 'read workspace',
  fails: ['conflict'],
  summary: 'Leave a project. It is a conflict for its owner, and for members through a group',
  params: ofProject,
  answer: Notice,
})
