import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text } from '../../platform/primitives.ts'

export const HOLDS_LIMIT = 20
export const MAX_REASON_CHARACTERS = 500

export const HeldKind = z.enum(['user', 'project'])
export type HeldKind = z.infer<typeof HeldKind>

/** Protects a user's or a project's data from every deletion until it is lifted. */
export const LegalHold = z.object({
  id: Id,
  kind: HeldKind,
  /** Id of the user or project. */
  subject_id: Id,
  /** Its name when the hold was placed. */
  name: z.string(),
  reason: z.string(),
  placed_by: z.string(),
  placed_at: z.string(),
  /** Null while the hold is active. */
  lifted: z.nullable(z.object({ by: z.string(), at: z.string(), reason: z.string() })),
})
export type LegalHold = z.infer<typeof LegalHold>

/** A user or project that a hold can be placed on. */
export const HoldSubject = z.object({ id: Id, name: z.string(), detail: z.string(), is_held: z.boolean() })
export type HoldSubject = z.infer<typeof HoldSubject>

const Reason = text(3, MAX_REASON_CHARACTERS)

export const listHolds = route({
  method: 'GET',
  path: '/admin/legal-holds',
  access: 'super_admin',
  summary: 'Legal holds: active ones first, then lifted ones, the newest first',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: HOLDS_LIMIT }),
  }),
  answer: z.object({ items: z.array(LegalHold), total: z.int(), has_more: z.boolean() }),
})

export const listHoldSubjects = route({
  method: 'GET',
  path: '/admin/legal-holds/subjects',
  access: 'super_admin',
  summary: 'The first users or projects with these words in their name or address, by name',
  query: z.object({
    kind: HeldKind,
    q: z.optional(text(0, 200)),
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: HOLDS_LIMIT }),
  }),
  answer: z.object({ items: z.array(HoldSubject), has_more: z.boolean() }),
})

export const placeHold = route({
  method: 'POST',
  path: '/admin/legal-holds',
  access: 'super_admin',
  status: 201,
  fails: ['not_found', 'conflict'],
  summary: 'Place a legal hold: nothing of the user or project can be deleted until it is lifted',
  body: z.object({ kind: HeldKind, subject_id: Id, reason: Reason }),
  answer: LegalHold,
})

export const liftHold = route({
  method: 'POST',
  path: '/admin/legal-holds/lift',
  access: 'super_admin',
  status: 200,
  fails: ['not_found', 'conflict'],
  summary: 'Lift a legal hold, with the reason',
  body: z.object({ hold_id: Id, reason: Reason }),
  answer: LegalHold,
})
