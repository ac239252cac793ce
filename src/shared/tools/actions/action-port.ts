import * as z from 'zod/mini'
import { atMost, text } from '../../platform/primitives.ts'

/** Maximum people of a mail or an event, and characters of its text. */
export const MAX_PEOPLE = 100
export const MAX_BODY = 100_000

const address = z
  .string()
  .check(
    atMost(320),
    z.regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/, 'must be an address such as ada@example.com'),
  )
const people = z.array(address).check(atMost(MAX_PEOPLE))
const oneLine = (most: number) => z.string().check(atMost(most), z.regex(/^[^\r\n\0]*$/, 'must be one line'))
/** The account that the call uses, by its address. */
const account = z.optional(address)

/** A mail to send. The draft that a person sees has all of it. */
export const MailDraft = z.object({
  from: account,
  to: z.optional(people),
  cc: z.optional(people),
  bcc: z.optional(people),
  subject: z.optional(oneLine(500)),
  body: z.string().check(atMost(MAX_BODY)),
  /** Id of the mail that this one answers. */
  reply_to: z.optional(text(1, 2000)),
})
export type MailDraft = z.infer<typeof MailDraft>

export const MAIL_SUMMARY = {
  /** Names the mail in its account. */
  id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  at: z.nullable(z.string()),
}
export const MailSummary = z.object({ ...MAIL_SUMMARY, folder: z.string() })
export type MailSummary = z.infer<typeof MailSummary>

export const ReadMail = z.object({
  ...MAIL_SUMMARY,
  cc: z.array(z.string()),
  text: z.string(),
  /** True when the text is longer. */
  is_cut: z.boolean(),
  attachments: z.array(z.string()),
})
export type ReadMail = z.infer<typeof ReadMail>

/** Search in a mailbox. Empty fields match everything. */
export const MailQuery = z.object({
  account,
  words: z.optional(oneLine(200)),
  from: z.optional(oneLine(320)),
  subject: z.optional(oneLine(200)),
  /** Days, as year-month-day. */
  since: z.optional(z.iso.date()),
  before: z.optional(z.iso.date()),
  folder: z.optional(oneLine(500)),
  limit: z.optional(z.int().check(z.gte(1), z.lte(50))),
})
export type MailQuery = z.infer<typeof MailQuery>

/** The result of an action outside. `already`: an earlier attempt of this call had done it. */
const DONE = { account: z.string(), id: z.string(), already: z.boolean() }

export const SentMail = z.object({
  ...DONE,
  to: z.array(z.string()),
  subject: z.string(),
  /** Addresses that the mail server refused. */
  refused: z.array(z.string()),
})
export type SentMail = z.infer<typeof SentMail>

/** A mail to move into a folder. */
export const Filing = z.object({
  account,
  mail: text(1, 2000),
  /** Subject of the mail, for the person who sees the draft. */
  subject: z.optional(oneLine(500)),
  folder: text(1, 500),
})
export type Filing = z.infer<typeof Filing>
export const Filed = z.object({ ...DONE, folder: z.string() })
export type Filed = z.infer<typeof Filed>

/** A time with its offset, such as 2026-11-30T09:00:00+01:00. */
const Moment = z.iso.datetime({ offset: true })

export const EventRange = z.object({ account, from: Moment, to: Moment })
export type EventRange = z.infer<typeof EventRange>

export const CalendarEvent = z.object({
  id: z.string(),
  title: z.string(),
  starts: z.string(),
  ends: z.nullable(z.string()),
  place: z.string(),
  organizer: z.string(),
  guests: z.array(z.string()),
  text: z.string(),
})
export type CalendarEvent = z.infer<typeof CalendarEvent>

/** An event to create. Its guests are invited. */
export const EventDraft = z.object({
  account,
  title: oneLine(500),
  starts: Moment,
  ends: Moment,
  place: z.optional(oneLine(500)),
  guests: z.optional(people),
  body: z.optional(z.string().check(atMost(MAX_BODY))),
})
export type EventDraft = z.infer<typeof EventDraft>
export const CreatedEvent = z.object({
  ...DONE,
  title: z.string(),
  starts: z.string(),
  guests: z.array(z.string()),
})
export type CreatedEvent = z.infer<typeof CreatedEvent>

/** A ticket to create. */
export const TicketDraft = z.object({
  account,
  project: oneLine(100).check(z.minLength(1)),
  kind: z.optional(oneLine(100)),
  title: oneLine(255).check(z.minLength(1)),
  body: z.optional(z.string().check(atMost(30_000))),
})
export type TicketDraft = z.infer<typeof TicketDraft>
export const CreatedTicket = z.object({ ...DONE, title: z.string(), url: z.nullable(z.string()) })
export type CreatedTicket = z.infer<typeof CreatedTicket>

/**
 * Gives a tool access to the accounts that the person of its run connected. The words of mails and events are data of others.
 * @throws AppError `not_connected` without such an account
 */
export type ActionPort = {
  searchMail: (query: MailQuery) => Promise<MailSummary[]>
  readMail: (mail: { account?: string | undefined; id: string }) => Promise<ReadMail>
  listEvents: (range: EventRange) => Promise<CalendarEvent[]>
  /** The actions happen once per call, however often the call is resumed. */
  sendMail: (draft: MailDraft) => Promise<SentMail>
  fileMail: (filing: Filing) => Promise<Filed>
  createEvent: (draft: EventDraft) => Promise<CreatedEvent>
  createTicket: (draft: TicketDraft) => Promise<CreatedTicket>
}
