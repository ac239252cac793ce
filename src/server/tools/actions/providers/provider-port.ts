import type * as actions from '#shared/tools/actions/action-port.ts'

/** One call that acts outside. Its attempts share the key. */
export type Once = {
  /** A UUID that is the same in every attempt of the call. */
  key: string
  /** True when an earlier attempt may have acted: the service only looks what it did. */
  isResumed: boolean
  /** The text that an earlier attempt stored with `keep`; null before that. */
  handle: string | null
  /** Stores what a later attempt needs to know, before this one acts. */
  keep: (handle: string) => Promise<void>
}

/** Thrown by a resumed action that certainly did nothing, or that its service does not do twice. It can be done now. */
export class NotDone extends Error {}

type Done<Result> = Promise<Omit<Result, 'account'>>

/**
 * The mailbox of a person. An action returns what it did, or what an earlier attempt did.
 * @throws NotDone when a resumed action did nothing, UnknownOutcome when only the person can tell, AppError
 */
export type MailService = {
  search: (query: actions.MailQuery) => Promise<actions.MailSummary[]>
  read: (id: string) => Promise<actions.ReadMail>
  send: (mail: OutgoingMail, once: Once) => Done<actions.SentMail>
  file: (filing: actions.Filing, once: Once) => Done<actions.Filed>
  /** Returns the facts of a mail that an answer to it needs. */
  find: (id: string) => Promise<AnsweredMail>
}

export type AnsweredMail = {
  /** The address that answers are sent to. */
  answer_to: string
  subject: string
  /** Its Message-ID; null without one. */
  message_id: string | null
  references: string
  /** Names the mail at the service, for services that thread by their own ids. */
  thread: string | null
}

/** A mail as the person saw it. */
export type OutgoingMail = {
  from: { name: string; address: string }
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
  body: string
  answers: AnsweredMail | null
}

export type CalendarService = {
  list: (range: actions.EventRange) => Promise<actions.CalendarEvent[]>
  create: (event: actions.EventDraft, once: Once) => Done<actions.CreatedEvent>
}

export type TicketService = {
  create: (ticket: actions.TicketDraft, once: Once) => Done<actions.CreatedTicket>
}

/** An account that is open for one call. */
export type OpenAccount = {
  address: string
  /** Name of the sender; empty without one. */
  name: string
  mail?: MailService
  calendar?: CalendarService
  tickets?: TicketService
}
