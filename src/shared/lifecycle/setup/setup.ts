import * as z from 'zod/mini'
import { FixedBy } from '../../platform/fixed-by.ts'
import { route } from '../../platform/http.ts'
import { Notice, text, trimmed } from '../../platform/primitives.ts'

/** What a new installation is led through, in this order. */
export const SetupStep = z.enum(['model', 'mail', 'address', 'sign_up'])
export type SetupStep = z.infer<typeof SetupStep>

/** A step that was checked, or one that was put off. */
export const SetupOutcome = z.enum(['done', 'later'])
export type SetupOutcome = z.infer<typeof SetupOutcome>

/** What was decided of each step, by any super admin; null where nobody has come to it yet. */
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

/** What a model said to a greeting. `text` is null when it said nothing, `detail` then says why. */
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
  body: z.object({ model: text(1, 300) }),
  answer: ModelGreeting,
})

/** How a request arrived, for who wants to know whether the address people use is right. */
export const AddressSeen = z.object({
  /** `ATRIUM_PUBLIC_URL`, without a slash at the end; null while it is not set. */
  public_url: z.nullable(z.string()),
  /** Scheme, host and port as they arrived here. */
  seen: z.string(),
  /** Who passed the request on: nobody, a proxy named in `ATRIUM_TRUST_PROXY`, or one that is not. */
  proxy: z.enum(['none', 'named', 'unnamed']),
  /** The address of a proxy that is not named. */
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

/** So many events, and so far apart, in milliseconds. */
export const BEATS = 4
export const BEAT_MS = 250

/** Events at even intervals: whether they come as they are sent, or all at once, shows what stands in between. */
export const streamBeats = route({
  method: 'GET',
  path: '/admin/setup/beats',
  access: 'super_admin',
  kind: 'stream',
  summary: 'A few events at even intervals, to see whether something holds streams back',
})

export const MailSecurity = z.enum(['starttls', 'tls', 'none'])
export type MailSecurity = z.infer<typeof MailSecurity>

/** Where mail goes. The password is never answered, only whether there is one. */
export const MailSettings = z.object({
  /** `environment` when `SMTP_URL` says so: it can be changed there only. `none`: mail stays in the outbox folder. */
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
  /** Left out: the stored one stays, as long as server and user stay the same. */
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

/** Why a mail did not go out; `sent`: the server took it. */
export const MailOutcome = z.enum([
  'sent',
  'not_found',
  'unreachable',
  'no_encryption',
  'wrong_certificate',
  'sign_in_refused',
  'mail_refused',
  'failed',
])
export type MailOutcome = z.infer<typeof MailOutcome>

/** What became of a test mail. */
export const MailTest = z.object({
  outcome: MailOutcome,
  /** Where it went: the address of who asked. */
  to: z.string(),
  /** What the server said, in its own words. */
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
