import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Notice, text } from '../../platform/primitives.ts'

/** What a second proof may be. */
export const SecondFactor = z.enum(['app', 'passkey', 'recovery_code'])
export type SecondFactor = z.infer<typeof SecondFactor>

/** The first proof was right; the ticket opens the second step alone, for ten minutes. */
export const SecondStep = z.object({
  ticket: z.string(),
  /** What the person has. Empty: a company of theirs wants a second factor, and it is set up now. */
  factors: z.array(SecondFactor),
})
export type SecondStep = z.infer<typeof SecondStep>

const Bearer = z.object({ access_token: z.string(), token_type: z.literal('bearer') })
/** What a sign-in ends with: a token, or the step that is missing. */
export const SignedIn = z.union([Bearer, z.object({ second_step: SecondStep })])
export type SignedIn = z.infer<typeof SignedIn>

const Ticket = text(1, 200)
const Code = text(1, 40)
/** A secret for a code app: as text, and as the address its QR code holds (`otpauth://totp/…`). */
const NewSecret = z.object({ secret: z.string(), uri: z.string() })
/** Each works once; they are answered this once. */
const RecoveryCodes = z.array(z.string())

export const giveSecondFactor = route({
  method: 'POST',
  path: '/token/second-factor',
  access: 'public',
  fails: ['token_invalid'],
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
  fails: ['token_invalid'],
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
    /** Since when there is a code app. */
    app_since: z.nullable(z.string()),
    recovery_codes_left: z.int(),
    /** A company of theirs wants one. */
    is_required: z.boolean(),
  }),
})

/** Whoever changes how they sign in shows who they are: by their password, or without one by having just signed in. */
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
