import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Notice, text } from '../../platform/primitives.ts'

/** Kinds of second factors. */
export const SecondFactor = z.enum(['app', 'passkey', 'recovery_code'])
export type SecondFactor = z.infer<typeof SecondFactor>

/** The first factor was accepted. The ticket is valid for the second step only, for ten minutes. */
export const SecondStep = z.object({
  ticket: z.string(),
  /** The person's second factors. Empty when a company requires one that is not set up yet. */
  factors: z.array(SecondFactor),
})
export type SecondStep = z.infer<typeof SecondStep>

const Bearer = z.object({ access_token: z.string(), token_type: z.literal('bearer') })
/** Result of a sign-in: a token, or the second step. */
export const SignedIn = z.union([Bearer, z.object({ second_step: SecondStep })])
export type SignedIn = z.infer<typeof SignedIn>

const Ticket = text(1, 200)
const Code = text(1, 40)
/** A secret for an authenticator app: as text, and as the address in its QR code (`otpauth://totp/…`). */
const NewSecret = z.object({ secret: z.string(), uri: z.string() })
/** Single-use codes; only this response contains them. */
const RecoveryCodes = z.array(z.string())

export const giveSecondFactor = route({
  method: 'POST',
  path: '/token/second-factor',
  access: 'public',
  fails: ['token_invalid', 'outside_networks'],
  summary: 'Finish a sign-in with a code of the app or a recovery code',
  body: z.object({ ticket: Ticket, code: Code }),
  answer: Bearer,
})

export const beginRequiredSetUp = route({
  method: 'POST',
  path: '/token/second-factor/app',
  access: 'public',
  fails: ['token_invalid'],
  summary: 'During a sign-in that wants a second factor: a secret for a code app',
  body: z.object({ ticket: Ticket }),
  answer: NewSecret,
})

export const finishRequiredSetUp = route({
  method: 'POST',
  path: '/token/second-factor/app/confirm',
  access: 'public',
  fails: ['token_invalid', 'outside_networks'],
  summary: 'Confirm the code app and finish the sign-in',
  body: z.object({ ticket: Ticket, code: Code }),
  answer: z.extend(Bearer, { recovery_codes: RecoveryCodes }),
})

export const getSecondFactors = route({
  method: 'GET',
  path: '/users/me/second-factor',
  access: 'user',
  summary: 'The second factors of the caller',
  answer: z.object({
    /** Time at which the authenticator app was set up. */
    app_since: z.nullable(z.string()),
    recovery_codes_left: z.int(),
    /** True when a company of the person requires a second factor. */
    is_required: z.boolean(),
  }),
})

/** Proof of identity: the password, or a recent sign-in for an account without one. */
const Proof = z.object({ current_password: z.optional(text(1, 256)) })

export const beginCodeApp = route({
  method: 'POST',
  path: '/users/me/second-factor/app',
  access: 'user',
  fails: ['conflict'],
  summary: 'A secret for a code app; it counts once it is confirmed',
  body: Proof,
  answer: NewSecret,
})

export const confirmCodeApp = route({
  method: 'POST',
  path: '/users/me/second-factor/app/confirm',
  access: 'user',
  fails: ['conflict'],
  summary: 'Confirm the code app with a code of it',
  body: z.object({ code: Code }),
  answer: z.object({ recovery_codes: RecoveryCodes }),
})

export const removeCodeApp = route({
  method: 'POST',
  path: '/users/me/second-factor/app/remove',
  access: 'user',
  fails: ['conflict'],
  summary: 'Give the code app and its recovery codes up',
  body: Proof,
  answer: Notice,
})

export const renewRecoveryCodes = route({
  method: 'POST',
  path: '/users/me/second-factor/recovery-codes',
  access: 'user',
  fails: ['conflict'],
  summary: 'New recovery codes; those there were work no more',
  body: Proof,
  answer: z.object({ recovery_codes: RecoveryCodes }),
})
