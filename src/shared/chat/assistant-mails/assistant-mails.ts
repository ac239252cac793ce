import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { Senders } from '../schedules/senders.ts'

/** Answers of one thread in an hour. */
export const MAX_THREAD_ANSWERS_PER_HOUR = 20
/** Answers of one assistant in an hour. */
export const MAX_ASSISTANT_ANSWERS_PER_HOUR = 60
/** Days that mails are stored, so that a later one continues their chat. */
export const ASSISTANT_MAIL_DAYS = 365
/** Mails that the settings list, and refused ones that are stored. */
export const RECENT_MAILS = 20
export const MAX_REFUSED_MAILS = 100

/** A mail to an assistant. `unknown`: the answer may have left, so it is not sent again. */
export const ReceivedMail = z.object({
  id: Id,
  received_at: z.string(),
  sender: z.string(),
  subject: z.string(),
  state: z.enum(['waiting', 'answering', 'sending', 'answered', 'refused', 'failed', 'unknown']),
  /** Why it was refused or failed. */
  detail: z.nullable(z.string()),
  /** Its chat; null when it has none that the caller may read. */
  session_id: z.nullable(Id),
})
export type ReceivedMail = z.infer<typeof ReceivedMail>

/** Settings by which an assistant answers mails, and the latest mails. */
export const AssistantMail = z.object({
  is_on: z.boolean(),
  senders: Senders,
  /** Null until it is turned on, and while the installation has no mailbox. */
  address: z.nullable(z.string()),
  /** False when no mailbox is configured. */
  can_receive: z.boolean(),
  /** False when no mail server is configured for sending. */
  can_send: z.boolean(),
  /** False while the mailbox cannot be read. */
  is_read: z.boolean(),
  /** True when the mail server authenticates senders. */
  verifies_senders: z.boolean(),
  /** The person in whose name it answers; null until it is turned on. */
  answers_for: z.nullable(z.string()),
  /** Verified address of that person, or else of the caller, which may always write; null without one. */
  owner_address: z.nullable(z.string()),
  recent: z.array(ReceivedMail),
})
export type AssistantMail = z.infer<typeof AssistantMail>

const params = z.object({ assistantId: Id })

export const getAssistantMail = route({
  method: 'GET',
  path: '/assistants/:assistantId/mail',
  access: 'user',
  may: 'manage assistant',
  summary: 'Whether an assistant answers mails, to whom, and the latest mails',
  params,
  answer: AssistantMail,
})

export const changeAssistantMail = route({
  method: 'PATCH',
  path: '/assistants/:assistantId/mail',
  access: 'user',
  may: 'manage assistant',
  fails: ['conflict'],
  summary:
    'Let an assistant answer mails in the name and with the rights of the caller; what is left out stays',
  params,
  body: z.object({ is_on: z.optional(z.boolean()), senders: z.optional(Senders) }),
  answer: AssistantMail,
})
