import * as z from 'zod/mini'

/** Result of sending a mail; `sent`: the server accepted it. */
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
