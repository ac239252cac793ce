import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { FixedBy } from '../../platform/fixed-by.ts'
import { route } from '../../platform/http.ts'
import { MailOutcome } from '../../platform/mail-outcome.ts'
import { Notice, text, trimmed } from '../../platform/primitives.ts'

/** Steps of the setup of a new installation, in order. */
export const SetupStep = z.enum(['model', 'mail', 'address', 'sign_up'])
export type SetupStep = z.infer<typeof SetupStep>

/** A checked step, or a postponed one. */
export const SetupOutcome = z.enum(['done', 'later'])
export type SetupOutcome = z.infer<typeof SetupOutcome>

/** Outcome of each step, from any super admin; null for open steps. */
export const SetupProgress = z.object({
  model: z.nullable(SetupOutcome),
  mail: z.nullable(SetupOutcome),
  address: z.nullable(SetupOutcome),
  sign_up: z.nullable(SetupOutcome),
})
export type SetupProgress = z.infer<typeof SetupProgress>

export const getSetup = route({
  method: 'GET',
  path: '/admin/setup',
  access: 'super_admin',
  summary: 'How far the first steps of this installation are',
  answer: SetupProgress,
})

export const decideStep = route({
  method: 'PUT',
  path: '/admin/setup/:step',
  access: 'super_admin',
  may: null,
  summary: 'Note that a first step is done, or put off',
  params: z.object({ step: SetupStep }),
  body: z.object({ outcome: SetupOutcome }),
  answer: SetupProgress,
})

/** A model's reply to a greeting. `text` is null when it did not reply; `detail` then gives the reason. */
export const ModelGreeting = z.object({
  model: z.string(),
  text: z.nullable(z.string()),
  detail: z.nullable(z.string()),
  ms: z.int(),
})
export type ModelGreeting = z.infer<typeof ModelGreeting>

export const greetModel = route({
  method: 'POST',
  path: '/admin/setup/greeting',
  access: 'super_admin',
  fails: ['not_available', 'insufficient_balance', 'budget_used_up'],
  summary: 'Greet a model: a real call, paid by who makes it',
  body: z.object({ model: text(1, MAX_MODEL_NAME) }),
  answer: ModelGreeting,
})

/** Address under which a request arrived, to check the configured public address. */
export const AddressSeen = z.object({
  /** `ATRIUM_PUBLIC_URL` without a trailing slash; null while it is not set. */
  public_url: z.nullable(z.string()),
  /** Scheme, host and port of the received request. */
  seen: z.string(),
  /** Forwarding of the request: none, a proxy listed in `ATRIUM_TRUST_PROXY`, or an unlisted one. */
  proxy: z.enum(['none', 'named', 'unnamed']),
  /** Address of an unlisted proxy. */
  proxy_address: z.nullable(z.string()),
})
export type AddressSeen = z.infer<typeof AddressSeen>

export const getAddressSeen = route({
  method: 'GET',
  path: '/admin/setup/address',
  access: 'super_admin',
  summary: 'How this request arrived, beside the public address',
  answer: AddressSeen,
})

/** Number of test events, and their interval in milliseconds. */
export const BEATS = 4
export const BEAT_MS = 250

/** Streams events at even intervals; their arrival times show whether a proxy buffers the stream. */
export const streamBeats = route({
  method: 'GET',
  path: '/admin/setup/beats',
  access: 'super_admin',
  kind: 'stream',
  summary: 'A few events at even intervals, to see whether something holds streams back',
})

export const MailSecurity = z.enum(['starttls', 'tls', 'none'])
export type MailSecurity = z.infer<typeof MailSecurity>

/** Mail server settings. The password is never returned, only whether there is one. */
export const MailSettings = z.object({
  /** `environment`: `SMTP_URL` is set and takes precedence. `none`: mail stays in the outbox. */
  source: z.enum(['environment', 'database', 'none']),
  fixed_by: FixedBy,
  host: z.string(),
  port: z.int(),
  security: MailSecurity,
  username: z.nullable(z.string()),
  has_password: z.boolean(),
  sender: z.string(),
})
export type MailSettings = z.infer<typeof MailSettings>

const MailDraft = z.object({
  host: trimmed(1, 253).check(z.regex(/^[a-z0-9._:-]+$/i)),
  port: z.int().check(z.gte(1), z.lte(65_535)),
  security: MailSecurity,
  username: z.nullish(text(0, 320)),
  /** Omit to keep the stored password, as long as server and user are unchanged. */
  password: z.nullish(text(0, 1_000)),
  sender: text(3, 320).check(z.regex(/@/), z.regex(/^[^\r\n]*$/)),
})

export const getMailSettings = route({
  method: 'GET',
  path: '/admin/mail',
  access: 'super_admin',
  summary: 'Where mail goes',
  answer: MailSettings,
})

/** Result of a test mail. */
export const MailTest = z.object({
  outcome: MailOutcome,
  /** Recipient: the address of the caller. */
  to: z.string(),
  /** Reply of the mail server, verbatim. */
  said: z.nullable(z.string()),
})
export type MailTest = z.infer<typeof MailTest>

export const testMail = route({
  method: 'POST',
  path: '/admin/mail/test',
  access: 'super_admin',
  fails: ['conflict'],
  summary: 'Send a test mail to yourself, as written down, or as mail goes now',
  body: z.object({ settings: z.nullish(MailDraft) }),
  answer: MailTest,
})

export const setMailSettings = route({
  method: 'PUT',
  path: '/admin/mail',
  access: 'super_admin',
  fails: ['conflict'],
  summary: 'Decide where mail goes',
  body: MailDraft,
  answer: MailSettings,
})

export const removeMailSettings = route({
  method: 'DELETE',
  path: '/admin/mail',
  access: 'super_admin',
  fails: ['conflict'],
  summary: 'Send no mail any more: it stays in the outbox folder',
  answer: Notice,
})
