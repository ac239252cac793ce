import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { MailOutcome } from '../../platform/mail-outcome.ts'
import { Id, Notice, queryInt, text } from '../../platform/primitives.ts'

/** Reason why mails wait: the mail server, or that none is set up any more. */
const MailProblem = z.enum([...MailOutcome.options, 'no_server'])

/** The mails of an announcement, in numbers of people. */
export const MailCounts = z.object({
  waiting: z.int(),
  sent: z.int(),
  failed: z.int(),
  /** Mails that may have been sent. They are not sent again. */
  unknown: z.int(),
  /** Mails that were not sent because the announcement ended before. */
  stopped: z.int(),
  /** Reason that mails wait; null while they are sent. */
  problem: z.nullable(MailProblem),
  /** Next attempt after a problem. */
  next_at: z.nullable(z.string()),
})
export type MailCounts = z.infer<typeof MailCounts>

/** Returns whether a person wants announcements by mail: everybody who did not unsubscribe. */
export const wantsAnnouncementMails = (preferences: Record<string, unknown>) =>
  preferences.announcement_mails !== false

export const UndeliveredMail = z.object({
  user_id: Id,
  name: z.string(),
  email: z.string(),
  state: z.enum(['failed', 'unknown']),
  /** Reply of the mail server, verbatim; null without one. */
  said: z.nullable(z.string()),
})
export type UndeliveredMail = z.infer<typeof UndeliveredMail>

export const UNDELIVERED_LIMIT = 50

export const listUndelivered = route({
  method: 'GET',
  path: '/admin/announcements/:announcementId/undelivered-mails',
  access: 'admin',
  may: 'manage announcement',
  summary: 'Mails of an announcement that failed, or of which nobody knows whether they arrived',
  params: z.object({ announcementId: Id }),
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 200, fallback: UNDELIVERED_LIMIT }),
  }),
  answer: z.object({ items: z.array(UndeliveredMail), total: z.int(), has_more: z.boolean() }),
})

const Token = z.object({ token: text(1, 500) })

/** One-click unsubscription of RFC 8058: mail programs post a form here, whose content does not matter. */
export const unsubscribe = route({
  method: 'POST',
  path: '/announcement-mails/unsubscribe',
  access: 'public',
  fails: ['token_invalid'],
  form: 'or_multipart',
  summary: 'Stop announcements by mail, with the token of a mail',
  query: Token,
  answer: Notice,
})

/** Opens the page that asks before it unsubscribes, because programs that check links open them too. */
export const openUnsubscribePage = route({
  method: 'GET',
  path: '/announcement-mails/unsubscribe',
  access: 'public',
  summary: 'Go to the page that stops announcements by mail',
  status: 302,
  query: Token,
})
