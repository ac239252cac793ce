import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Language, label, text } from '../../platform/primitives.ts'
import { Origin } from './origin.ts'

/** Tokens of one assistant that are good at once. */
export const EMBEDS_MOST = 20
/** The most characters of what a visitor sends. */
export const VISITOR_MESSAGE_MOST = 60_000
const bounds = {
  /** Sites that may show it, each as it stands in the address bar up to its path. */
  origins: z.array(Origin).check(z.maxLength(20)),
  /** Whether the browser extension may open it. */
  in_extension: z.boolean(),
  messages_a_day: z.int().check(z.gte(1), z.lte(1_000)),
  /** Dollars of a calendar month (UTC); then it is closed until the next. */
  monthly_budget: z.nullable(z.number().check(z.gte(0), z.lte(100_000))),
  /** Days after which a visitor's chat is deleted. */
  days_kept: z.int().check(z.gte(1), z.lte(365)),
}

/** A token that opens one assistant inside other pages; what it is itself is not among it. Amounts in dollars. */
export const Embed = z.object({
  id: Id,
  name: z.string(),
  /** How it begins. */
  hint: z.string(),
  ...bounds,
  spent: z.number(),
  /** Who made it, and pays for what it takes. */
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
    /** Days it is good for. */
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

/** The token is answered this once. */
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

/** What a visitor meets. */
export const Visit = z.object({
  assistant: z.object({
    name: z.string(),
    description: z.string(),
    icon: z.nullable(z.string()),
    example_prompts: z.array(z.string()),
  }),
  /** The company it belongs to; null for one person's own. */
  house: z.nullable(z.string()),
  /** Messages that are left today. */
  messages_left: z.int(),
})
export type Visit = z.infer<typeof Visit>

/** Exchanges an embed token for a visit: what the visitor calls with from here on, and what they meet. */
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
