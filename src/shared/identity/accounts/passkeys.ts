import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, Notice, record, text } from '../../platform/primitives.ts'

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
})
export type Passkey = z.infer<typeof Passkey>

export const PASSKEYS_LIMIT = 20

const Ticket = text(1, 200)
const Base64 = text(1, 40_000)
/** The browser's response to a challenge, in the format of `@simplewebauthn/browser`. */
const credential = {
  id: text(1, 1400),
  rawId: text(1, 1400),
  type: z.literal('public-key'),
  clientExtensionResults: record(20, z.unknown()),
}
const Registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Base64,
    attestationObject: Base64,
    transports: z.optional(z.array(text(0, 40)).check(z.maxLength(10))),
  }),
})
const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Base64,
    authenticatorData: Base64,
    signature: Base64,
    userHandle: z.optional(text(0, 200)),
  }),
})

/** Options for the browser, and a ticket that identifies the challenge in the response. */
const Challenge = z.object({ options: z.record(z.string(), z.unknown()), challenge: z.string() })

export const listPasskeys = route({
  method: 'GET',
  path: '/users/me/passkeys',
  access: 'user',
  summary: 'The passkeys of the caller',
  pages: 1_000,
  answer: z.object({ items: z.array(Passkey) }),
})

export const beginPasskey = route({
  method: 'POST',
  path: '/users/me/passkeys/options',
  access: 'user',
  fails: ['conflict'],
  summary: 'What a browser needs to make a passkey',
  /** Requires the password, or a recent sign-in for an account without one. */
  body: z.object({ current_password: z.optional(text(1, 256)) }),
  answer: Challenge,
})

export const addPasskey = route({
  method: 'POST',
  path: '/users/me/passkeys',
  access: 'user',
  fails: ['conflict', 'token_invalid'],
  summary: 'Keep a passkey the browser has made',
  status: 201,
  body: z.object({ challenge: Ticket, name: label(1, 100), response: Registration }),
  answer: Passkey,
})

export const renamePasskey = route({
  method: 'PATCH',
  path: '/users/me/passkeys/:passkeyId',
  access: 'user',
  may: 'write passkey',
  summary: 'Name a passkey',
  params: z.object({ passkeyId: Id }),
  body: z.object({ name: label(1, 100) }),
  answer: Passkey,
})

export const removePasskey = route({
  method: 'DELETE',
  path: '/users/me/passkeys/:passkeyId',
  access: 'user',
  may: 'write passkey',
  summary: 'Remove a passkey; it signs nobody in from now on',
  params: z.object({ passkeyId: Id }),
  answer: Notice,
})

export const beginPasskeySignIn = route({
  method: 'POST',
  path: '/token/passkey/options',
  access: 'public',
  fails: ['token_invalid'],
  summary:
    'What a browser needs to sign in with a passkey, alone or, with the ticket of a second step, as that',
  body: z.object({ ticket: z.optional(Ticket) }),
  answer: Challenge,
})

export const signInWithPasskey = route({
  method: 'POST',
  path: '/token/passkey',
  access: 'public',
  fails: ['token_invalid', 'outside_networks'],
  summary: 'Sign in with a passkey, alone or as the second step',
  body: z.object({ challenge: Ticket, ticket: z.optional(Ticket), response: Assertion }),
  answer: z.object({ access_token: z.string(), token_type: z.literal('bearer') }),
})
