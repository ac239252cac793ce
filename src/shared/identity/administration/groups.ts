import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, queryInt, text } from '../../platform/primitives.ts'

/** A group of people within one company. */
export const Group = z.object({
  id: Id,
  name: z.string(),
  company: z.object({ id: Id, name: z.string() }),
  people: z.int(),
  /** True when the company's directory manages the members. */
  from_directory: z.boolean(),
})
export type Group = z.infer<typeof Group>

export const GroupMember = z.object({
  id: Id,
  username: z.string(),
  full_name: z.nullable(z.string()),
  email: z.string(),
})
export type GroupMember = z.infer<typeof GroupMember>

export const GROUPS_LIMIT = 100
/** Maximum number of groups per company. */
export const MAX_GROUPS = 500
const params = z.object({ groupId: Id })
const page = {
  page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
  limit: queryInt({ min: 1, max: 100, fallback: GROUPS_LIMIT }),
}

export const listGroups = route({
  method: 'GET',
  path: '/admin/groups',
  access: 'admin',
  summary: 'The groups of the companies the caller administers, of all for a super admin, by name',
  query: z.object({ ...page, q: z.optional(text(0, 200)) }),
  answer: z.object({ items: z.array(Group), total: z.int(), has_more: z.boolean() }),
})

export const createGroup = route({
  method: 'POST',
  path: '/admin/groups',
  access: 'admin',
  summary: 'Create a group in a company',
  status: 201,
  fails: ['not_found', 'conflict'],
  body: z.object({ company_id: Id, name: label(1, 100) }),
  answer: Group,
})

export const renameGroup = route({
  method: 'PATCH',
  path: '/admin/groups/:groupId',
  access: 'admin',
  may: 'manage group',
  summary: 'Rename a group',
  fails: ['conflict'],
  params,
  body: z.object({ name: label(1, 100) }),
  answer: Group,
})

export const deleteGroup = route({
  method: 'DELETE',
  path: '/admin/groups/:groupId',
  access: 'admin',
  may: 'manage group',
  summary: 'Delete a group; its people stay',
  fails: ['conflict'],
  params,
  status: 204,
})

export const listGroupMembers = route({
  method: 'GET',
  path: '/admin/groups/:groupId/people',
  access: 'admin',
  may: 'read group',
  summary: 'The people of a group, by name',
  params,
  query: z.object(page),
  answer: z.object({ items: z.array(GroupMember), total: z.int(), has_more: z.boolean() }),
})

const member = z.object({ groupId: Id, memberId: Id })

/** Adds a person of the group's company. */
export const addGroupMember = route({
  method: 'PUT',
  path: '/admin/groups/:groupId/people/:memberId',
  access: 'admin',
  may: 'manage group',
  summary: 'Bring somebody of its company into a group',
  fails: ['conflict'],
  params: member,
  answer: Group,
})

export const removeGroupMember = route({
  method: 'DELETE',
  path: '/admin/groups/:groupId/people/:memberId',
  access: 'admin',
  may: 'manage group',
  summary: 'Take somebody out of a group',
  fails: ['conflict'],
  params: member,
  answer: Group,
})
