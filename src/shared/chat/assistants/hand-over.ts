import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text } from '../../platform/primitives.ts'
import { Assistant } from './assistants.ts'

/** A possible next owner of a shared assistant: a person who may edit it or administers a company it is shared with. */
export const Heir = z.object({
  id: Id,
  name: z.string(),
  /** Number of the given assistants that the person could own. */
  assistants: z.int(),
})
export type Heir = z.infer<typeof Heir>

const Params = z.object({ assistantId: Id })

export const listHeirs = route({
  method: 'GET',
  path: '/assistants/:assistantId/heirs',
  access: 'user',
  may: 'manage assistant',
  summary: 'Who could be the next owner of an assistant: those who may edit it because it is shared, by name',
  params: Params,
  query: z.object({
    q: z.optional(text(0, 100)),
    skip: queryInt({ min: 0, max: 1_000_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 50, fallback: 50 }),
  }),
  answer: z.array(Heir),
})

export const handOver = route({
  method: 'POST',
  path: '/assistants/:assistantId/owner',
  access: 'user',
  fails: ['conflict'],
  may: 'manage assistant',
  summary:
    'Give an assistant to another owner: by its owner, and by administrators when the account of its owner is deactivated',
  params: Params,
  body: z.object({ user_id: Id }),
  answer: z.object({ assistant: z.nullable(Assistant) }),
})
