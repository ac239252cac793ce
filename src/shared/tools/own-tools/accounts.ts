import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'

/** The account of the caller at the service of a set of tools (OAuth 2), as far as anybody may know of it. */
export const ToolAccount = z.object({
  /** The host where one signs in; null while nobody has asked the server of the tools for it. */
  service: z.nullable(z.string()),
  /** The origins that are called with the account, and no other. */
  origins: z.array(z.string()),
  /** Null when it is not connected. */
  connected_at: z.nullable(z.string()),
})
export type ToolAccount = z.infer<typeof ToolAccount>

/** How a visit at a service ended; it stands in the address of the page one comes back to, as `account`. */
export const AccountOutcome = z.enum(['connected', 'refused', 'expired', 'failed'])
export type AccountOutcome = z.infer<typeof AccountOutcome>

/** Where services send the browser back to: the address to register there. */
export const ACCOUNT_RETURN = '/tool-accounts/return'

const Params = z.object({ toolSetId: Id })

export const getToolAccount = route({
  method: 'GET',
  path: '/tool-sets/:toolSetId/account',
  access: 'user',
  may: 'read tool-set',
  fails: ['conflict'],
  summary: 'Whether the caller lets the tools of a set use their account',
  params: Params,
  answer: ToolAccount,
})

export const connectToolAccount = route({
  method: 'POST',
  path: '/tool-sets/:toolSetId/account',
  access: 'user',
  may: 'read tool-set',
  fails: ['conflict', 'not_available'],
  summary: 'Begin to connect the account of the caller: the address where their browser goes for their leave',
  params: Params,
  body: z.object({
    /** The tool whose page one comes back to; without it the page of the server. */
    tool_id: z.nullish(text(1, 100)),
  }),
  answer: z.object({ url: z.string() }),
})

export const disconnectToolAccount = route({
  method: 'DELETE',
  path: '/tool-sets/:toolSetId/account',
  access: 'user',
  may: 'read tool-set',
  summary: 'Tell the service that its leave is taken back, and forget the tokens of the caller',
  params: Params,
  /** `told`: the service heard of it; else the person takes the leave back there as well. */
  answer: z.object({ told: z.boolean() }),
})

/** The visit of a browser that comes back; it goes on to the page it came from. */
export const returnFromService = route({
  method: 'GET',
  path: ACCOUNT_RETURN,
  access: 'public',
  summary: 'Return from a service with the leave of a person',
  status: 302,
  query: z.object({
    state: z.optional(text(0, 8_000)),
    code: z.optional(text(0, 8_000)),
    error: z.optional(text(0, 4_000)),
    iss: z.optional(text(0, 2_000)),
  }),
})
