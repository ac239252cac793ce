import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Least number of different people who asked the questions of a shown group, and who used each of its shown words. */
export const MIN_ASKERS = 5
/** Maximum number of groups in a list. */
export const MAX_UNANSWERED_GROUPS = 100
/** Shown words of a group. */
export const MAX_GROUP_WORDS = 8

export const UnansweredState = z.enum(['open', 'answered', 'dismissed'])
export type UnansweredState = z.infer<typeof UnansweredState>

/**
 * Questions of at least five people that mean the same. It names no person and quotes no question, and changes only when five more people
 * have asked, so that no change points to one of them.
 */
export const UnansweredGroup = z.object({
  id: Id,
  /** Words that at least five of the people used, in the order of their questions; empty when there are none. */
  words: z.array(z.string()),
  /** Number of different people who had asked on the day of the count. Managers of the project are left out. */
  askers: z.int(),
  counted_on: z.string(),
  /** `answered` until five people ask again. */
  state: UnansweredState,
})
export type UnansweredGroup = z.infer<typeof UnansweredGroup>

const path = '/projects/:workspaceId/unanswered'

export const listUnanswered = route({
  method: 'GET',
  path,
  access: 'user',
  may: 'manage workspace',
  summary:
    'Groups of questions that the documents of a project could not answer, those of most people first; groups of fewer than five people are hidden',
  params: z.object({ workspaceId: Id }),
  answer: z.object({ items: z.array(UnansweredGroup).check(z.maxLength(MAX_UNANSWERED_GROUPS)) }),
})

export const decideUnanswered = route({
  method: 'PUT',
  path: `${path}/:unansweredId`,
  access: 'user',
  may: 'manage workspace',
  fails: ['not_found'],
  summary: 'Mark a group of unanswered questions as answered, dismiss it, or open it again',
  params: z.object({ workspaceId: Id, unansweredId: Id }),
  body: z.object({ state: UnansweredState }),
  answer: UnansweredGroup,
})
