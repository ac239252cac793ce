import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt, trimmed } from '../../platform/primitives.ts'

export const TrashKind = z.enum(['chat', 'document'])
export type TrashKind = z.infer<typeof TrashKind>

/** A deleted chat or document that can be restored. */
export const TrashItem = z.object({
  kind: TrashKind,
  id: Id,
  name: z.string(),
  deleted_at: z.string(),
  /** When it is deleted permanently. */
  ends_at: z.string(),
})
export type TrashItem = z.infer<typeof TrashItem>

/** Items per page of the trash. */
export const TRASH_LIMIT = 50
export const MAX_TRASH_DAYS = 3650
/** Maximum items of one call. */
export const MAX_TRASH_ITEMS = 200

const Items = z.object({
  items: z.array(z.object({ kind: TrashKind, id: Id })).check(z.minLength(1), z.maxLength(MAX_TRASH_ITEMS)),
})
export type TrashNames = z.infer<typeof Items>['items']
/** Items that were in the trash; others are left out. */
const Done = z.object({ items: z.array(z.object({ kind: TrashKind, id: Id })) })

export const listTrash = route({
  method: 'GET',
  path: '/trash',
  access: 'user',
  summary: 'Deleted chats and documents that can be restored, last deleted first; `q` searches their names',
  query: z.object({
    q: z.optional(trimmed(0, 200)),
    skip: queryInt({ min: 0, max: 1_000_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 200, fallback: TRASH_LIMIT }),
  }),
  answer: z.object({
    items: z.array(TrashItem),
    total: z.int(),
    /** Days that things stay in the trash; 0 when there is no trash. */
    days: z.int(),
  }),
})

export const restoreTrash = route({
  method: 'POST',
  path: '/trash/restore',
  access: 'user',
  summary: 'Restore deleted chats and documents',
  body: Items,
  answer: Done,
})

export const deleteTrash = route({
  method: 'POST',
  path: '/trash/delete',
  access: 'user',
  fails: ['held'],
  summary: 'Delete chats and documents of the trash permanently',
  body: Items,
  answer: Done,
})

export const emptyTrash = route({
  method: 'DELETE',
  path: '/trash',
  access: 'user',
  fails: ['held'],
  summary: 'Delete everything in the trash permanently',
  answer: z.object({ deleted: z.int() }),
})

const Rule = z.object({ days: z.int().check(z.gte(0), z.lte(MAX_TRASH_DAYS)) })

export const getTrashRule = route({
  method: 'GET',
  path: '/admin/trash',
  access: 'super_admin',
  summary: 'How many days deleted chats and documents stay in the trash; 0: they are deleted at once',
  answer: Rule,
})

export const setTrashRule = route({
  method: 'PUT',
  path: '/admin/trash',
  access: 'super_admin',
  summary: 'Decide how many days deleted chats and documents stay in the trash',
  body: Rule,
  answer: Rule,
})
