import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text } from '../../platform/primitives.ts'

/** Ways in which other programs reach the installation or receive its events. */
export const OutsideKind = z.enum(['key', 'embed', 'program', 'webhook'])
export type OutsideKind = z.infer<typeof OutsideKind>

export const OutsideAccess = z.object({
  id: Id,
  kind: OutsideKind,
  name: z.string(),
  /** The first characters of a token, the assistant of an embed, or the site of a webhook. */
  detail: z.string(),
  /** The person who made it; null for a webhook of a company. */
  owner: z.nullable(z.object({ id: Id, name: z.string() })),
  /** Companies of the owner that the caller administers, or the company of the webhook, at most five. */
  companies: z.array(z.string()),
  /** `off`: a webhook that is turned off, or a key whose owner is deactivated. */
  state: z.enum(['active', 'expired', 'off']),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  /** For a webhook, its last delivery that arrived. */
  last_used_at: z.nullable(z.string()),
})
export type OutsideAccess = z.infer<typeof OutsideAccess>

export const OUTSIDE_LIMIT = 50

export const listOutsideAccess = route({
  method: 'GET',
  path: '/admin/outside-access',
  access: 'admin',
  summary:
    'The API keys, embeds, connected programs and webhooks of the companies the caller administers, all for a super admin, the newest first',
  query: z.object({
    kind: z.optional(OutsideKind),
    /** Words in a name, an owner, a company or a detail. */
    q: z.optional(text(0, 200)),
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: OUTSIDE_LIMIT }),
  }),
  answer: z.object({
    items: z.array(OutsideAccess),
    total: z.int(),
    /** Number of each kind, for the same words. */
    counts: z.record(OutsideKind, z.int()),
    has_more: z.boolean(),
  }),
})

/** Ends an API key, an embed token or a connected program of a person. */
export const revokeKeyOf = route({
  method: 'DELETE',
  path: '/admin/outside-access/keys/:memberKeyId',
  access: 'admin',
  may: 'manage member-key',
  summary: 'End the API key, embed or connected program of a person at once, on all processes',
  params: z.object({ memberKeyId: Id }),
  status: 204,
})

export const removeWebhookOf = route({
  method: 'DELETE',
  path: '/admin/outside-access/webhooks/:memberWebhookId',
  access: 'admin',
  may: 'manage member-webhook',
  summary: 'Delete the webhook of a person or a company, with what it was told',
  params: z.object({ memberWebhookId: Id }),
  status: 204,
})
