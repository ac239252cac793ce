import * as z from 'zod/mini'
import { Brand } from '../../identity/branding/branding.ts'
import { route } from '../../platform/http.ts'
import { Id, Language, label, text } from '../../platform/primitives.ts'
import { Origin } from './origin.ts'

/** Active embed tokens per assistant. */
export const MAX_EMBED_TOKENS = 20
/** Maximum characters of a visitor's message. */
export const MAX_VISITOR_MESSAGE = 60_000
const bounds = {
  /** Sites that may embed the assistant: scheme and host without a path. */
  origins: z.array(Origin).check(z.maxLength(20)),
  /** True when the browser extension may open it. */
  in_extension: z.boolean(),
  messages_a_day: z.int().check(z.gte(1), z.lte(1_000)),
  /** Dollars per calendar month (UTC). When they are spent, the embed is closed until the next month. */
  monthly_budget: z.nullable(z.number().check(z.gte(0), z.lte(100_000))),
  /** Days after which a visitor's chat is deleted. */
  days_kept: z.int().check(z.gte(1), z.lte(365)),
}

/** Settings of an embed token, without the token itself. Amounts in dollars. */
export const Embed = z.object({
  id: Id,
  name: z.string(),
  /** First characters of the token. */
  hint: z.string(),
  ...bounds,
  spent: z.number(),
  /** Person who made the token and pays for its usage. */
  made_by: z.string(),
  /** Visitors of the last seven days. */
  visitors: z.int(),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.nullable(z.string()),
})
export type Embed = z.infer<typeof Embed>

export const NewEmbed = z
  .object({
    name: label(1, 80),
    origins: z._default(bounds.origins, []),
    in_extension: z._default(bounds.in_extension, false),
    /** Days until the token expires. */
    days: z.int().check(z.gte(1), z.lte(365)),
    messages_a_day: z._default(bounds.messages_a_day, 20),
    monthly_budget: z._default(bounds.monthly_budget, null),
    days_kept: z._default(bounds.days_kept, 30),
  })
  .check(
    z.refine(({ origins, in_extension }) => in_extension || origins.length > 0, {
      ...{ path: ['origins'], error: 'must name at least one site, or the extension' },
    }),
  )
export type NewEmbed = z.infer<typeof NewEmbed>

const Params = z.object({ assistantId: Id })

export const listEmbeds = route({
  method: 'GET',
  path: '/assistants/:assistantId/embeds',
  access: 'user',
  may: 'manage assistant',
  summary: 'The embed tokens of an assistant that were not revoked, the newest first, at most 100',
  params: Params,
  answer: z.array(Embed),
})

/** Creates an embed token. Only this response contains the token. */
export const createEmbed = route({
  method: 'POST',
  path: '/assistants/:assistantId/embeds',
  access: 'user',
  uses: 'feature embeds',
  fails: ['conflict'],
  may: 'manage assistant',
  summary: 'Make a token that opens this assistant inside other pages; it is answered this once',
  params: Params,
  body: NewEmbed,
  status: 201,
  answer: z.object({ embed: Embed, token: z.string() }),
})

export const revokeEmbed = route({
  method: 'DELETE',
  path: '/assistants/:assistantId/embeds/:embedId',
  access: 'user',
  may: 'manage assistant',
  summary: 'End an embed token at once, on all processes; its visitors are let out',
  params: z.object({ assistantId: Id, embedId: Id }),
  status: 204,
})

/** Details of an embedded assistant that a visitor sees. */
export const Visit = z.object({
  assistant: z.object({
    name: z.string(),
    description: z.string(),
    icon: z.nullable(z.string()),
    example_prompts: z.array(z.string()),
  }),
  /** Company of the assistant; null for a personal one. */
  house: z.nullable(z.string()),
  /** Messages left today. */
  messages_left: z.int(),
  /** Brand of that company, or of the company of the person who made the token; absent for the product's own look. */
  brand: z.optional(Brand),
})
export type Visit = z.infer<typeof Visit>

/** Exchanges an embed token for a visit: a visitor token and the details of the assistant. */
export const beginVisit = route({
  method: 'POST',
  path: '/embed/visits',
  access: 'public',
  fails: ['unauthenticated'],
  summary: 'Begin a visit to the assistant an embed token opens',
  status: 201,
  body: z.object({ token: text(1, 100), language: z._default(Language, 'en') }),
  answer: z.extend(Visit, { visit: z.string() }),
})

export const readVisit = route({
  method: 'GET',
  path: '/embed/visit',
  access: 'visitor',
  summary: 'What the visitor who calls meets',
  answer: Visit,
})

export const beginVisitedChat = route({
  method: 'POST',
  path: '/embed/chats',
  access: 'visitor',
  fails: ['conflict'],
  summary: 'Begin a chat of the visitor who calls with the assistant they visit',
  status: 201,
  answer: z.object({ session_id: Id }),
})
