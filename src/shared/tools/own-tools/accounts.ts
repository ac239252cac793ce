import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'

/** The caller's account at the service of a tool set (OAuth 2), without secrets. */
export const ToolAccount = z.object({
  /** Host of the sign-in page; null until the tool server was asked for it. */
  service: z.nullable(z.string()),
  /** Origins that are called with this account; no others are. */
  origins: z.array(z.string()),
  /** Null when it is not connected. */
  connected_at: z.nullable(z.string()),
})
export type ToolAccount = z.infer<typeof ToolAccount>

/** Outcome of a sign-in at a service, sent as `account` in the return address. */
export const AccountOutcome = z.enum(['connected', 'refused', 'expired', 'failed'])
export type AccountOutcome = z.infer<typeof AccountOutcome>

/** Redirect address to register with services. */
export const ACCOUNT_RETURN = '/tool-accounts/return'

/** Path of the document whose address is Atrium's client id at services that take one. */
export const CLIENT_DOCUMENT = '/tool-accounts/client.json'

/** Atrium as a client of services (OAuth Client ID Metadata Document). */
export const ClientDocument = z.object({
  /** The address of this document. */
  client_id: z.string(),
  client_name: z.string(),
  client_uri: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.string(),
  application_type: z.string(),
})
export type ClientDocument = z.infer<typeof ClientDocument>

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
    /** Tool whose page to return to; default: the page of the server. */
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
  /** `told`: the service was notified; otherwise the person must also revoke access there. */
  answer: z.object({ told: z.boolean() }),
})

/** Handles the browser's return from a service and redirects it to the page it came from. */
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

/** Read by services that look up who Atrium is; missing unless the public address is an https address of the internet. */
export const getClientDocument = route({
  method: 'GET',
  path: CLIENT_DOCUMENT,
  access: 'public',
  fails: ['not_available'],
  summary: 'Atrium as a client of services where people sign in',
  answer: ClientDocument,
})
