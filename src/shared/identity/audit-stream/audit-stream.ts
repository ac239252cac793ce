import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'

/** Hours that a replaced secret still signs requests together with the new one. */
export const PREVIOUS_SECRET_HOURS = 24

/** `https` sends signed JSON lines; `syslogs` and `syslog` send RFC 5424 over TCP, with and without TLS. */
export const AuditReceiverKind = z.enum(['https', 'syslogs', 'syslog'])
export type AuditReceiverKind = z.infer<typeof AuditReceiverKind>

/** The receiver of the audit log, and how sending goes. */
export const AuditStream = z.object({
  kind: AuditReceiverKind,
  address: z.string(),
  is_on: z.boolean(),
  /** Number of the last confirmed entry; 0 before the first. */
  sent_to: z.int(),
  sent_at: z.nullable(z.string()),
  /** Entries that the receiver has not confirmed. */
  waiting: z.int(),
  /** Time of the oldest of them; null when there are none. */
  waiting_since: z.nullable(z.string()),
  /** Why the last attempt failed; null when it did not. */
  error: z.nullable(z.string()),
  failing_since: z.nullable(z.string()),
  /** Time of the next attempt after a failure. */
  next_at: z.nullable(z.string()),
})
export type AuditStream = z.infer<typeof AuditStream>

const Address = z.string().check(
  z.maxLength(2_000, { abort: true }),
  z.refine((address) => /^(https?|syslogs?):\/\/[^\s/?#@]+(\/\S*)?$/.test(address) && URL.canParse(address), {
    error: 'must begin with https://, syslogs:// or syslog://',
  }),
)

export const getAuditStream = route({
  method: 'GET',
  path: '/admin/audit-stream',
  access: 'super_admin',
  summary: 'Where the audit log is sent, and how far; null when it is not sent',
  answer: z.object({ stream: z.nullable(AuditStream) }),
})

/** A new stream starts with the oldest entry or after the newest. A changed one continues where it was. */
export const setAuditStream = route({
  method: 'PUT',
  path: '/admin/audit-stream',
  access: 'super_admin',
  summary: 'Send the audit log to an address; the secret of a new stream is answered this once',
  body: z.object({
    address: Address,
    is_on: z._default(z.boolean(), true),
    starts: z._default(z.enum(['oldest', 'newest']), 'oldest'),
  }),
  answer: z.object({
    stream: AuditStream,
    /** The key of the signatures, for a new stream only. */
    secret: z.nullable(z.string()),
  }),
})

export const renewAuditSecret = route({
  method: 'POST',
  path: '/admin/audit-stream/secret',
  access: 'super_admin',
  status: 200,
  fails: ['not_found'],
  summary: 'Replace the secret; for a day requests are signed with both',
  answer: z.object({ secret: z.string() }),
})

export const tryAuditStream = route({
  method: 'POST',
  path: '/admin/audit-stream/test',
  access: 'super_admin',
  status: 200,
  fails: ['not_found'],
  summary: 'Send a test record to the receiver of the audit log now',
  /** Null when the receiver accepted it. */
  answer: z.object({ error: z.nullable(z.string()) }),
})

export const removeAuditStream = route({
  method: 'DELETE',
  path: '/admin/audit-stream',
  access: 'super_admin',
  status: 204,
  fails: ['not_found'],
  summary: 'Stop sending the audit log and forget what was sent',
})
