import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Language, queryInt, TimeZone, text } from '../../platform/primitives.ts'

/** Actions in the audit log: the subject, then the event. Never renamed. */
export const AuditAction = z.enum([
  'session.started',
  'session.refused',
  'session.ended',
  'password.changed',
  'password.reset',
  'password.reset_sent',
  'account.created',
  'account.changed',
  'account.deactivated',
  'account.reactivated',
  'role.changed',
  'sign_up.changed',
  'password_policy.changed',
  'mail.changed',
  'invitation.created',
  'invitation.withdrawn',
  'invitation.accepted',
  'company.created',
  'company.renamed',
  'company.changed',
  'company.merged',
  'company.deleted',
  'group.created',
  'group.changed',
  'group.removed',
  'grants.changed',
  'factor.added',
  'factor.removed',
  'account.let_in',
  'account.handed_over',
  'account.deleted',
  'directory.connected',
  'directory.disconnected',
  'domain.added',
  'domain.verified',
  'domain.removed',
  'connection.created',
  'connection.changed',
  'connection.removed',
  'model.installed',
  'model.uploaded',
  'model.removed',
  'balance.topped_up',
  'balance.paid',
  'budget.set',
  'budget.removed',
  'price_question.changed',
  'sign_on.connected',
  'sign_on.disconnected',
  'sign_on.groups_unknown',
  'sign_on.provider_added',
  'sign_on.provider_changed',
  'sign_on.provider_removed',
  'sign_on.key_changed',
  'service.connected',
  'service.disconnected',
  'key.created',
  'key.changed',
  'key.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.removed',
  'import.started',
  'import.undone',
  'export.created',
  'export.removed',
  'link.created',
  'link.revoked',
  'assistant.created',
  'assistant.changed',
  'assistant.handed_over',
  'assistant.removed',
  'prompt.created',
  'prompt.changed',
  'prompt.removed',
  'share.added',
  'share.removed',
  'tool.created',
  'tool.changed',
  'tool.removed',
  'policy.changed',
  'mcp_server.created',
  'mcp_server.changed',
  'mcp_server.removed',
  'embedding_model.changed',
  'embedding_model.given_up',
  'chats.opened',
  'chats.closed',
  'chat.read',
  'chat.removed',
  'chat.restored',
  'chat.purged',
  'document.changed',
  'document.removed',
  'document.restored',
  'document.purged',
  'trash.emptied',
  'workspace.removed',
  'project.changed',
  'member.added',
  'member.changed',
  'member.removed',
  'execution.removed',
  'collection.created',
  'collection.removed',
  'passages.read',
  'passages.removed',
  'retention.changed',
  'trash.changed',
  'announcement.created',
  'announcement.changed',
  'announcement.ended',
  'job.retried',
  'job.cancelled',
  'embed.created',
  'embed.revoked',
])
export type AuditAction = z.infer<typeof AuditAction>

/** A changed value, before and after; null when there is none. Never a secret. */
export const AuditChange = z.object({
  what: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type AuditChange = z.infer<typeof AuditChange>

/** One entry of the audit log. `fingerprint` is the SHA-256 in hex over the entry and `previous`, the preceding fingerprint. */
export const AuditEntry = z.object({
  id: z.int(),
  at: z.string(),
  /** The actor, with the name at the time. Without an id it was Atrium itself or a caller who is not signed in. */
  actor: z.object({ id: z.nullable(Id), name: z.string() }),
  did: AuditAction,
  subject: z.string(),
  company: z.nullable(z.string()),
  address: z.nullable(z.string()),
  refused: z.boolean(),
  changes: z.array(AuditChange),
  previous: z.string(),
  fingerprint: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AUDIT_LIMIT = 50

const filter = {
  /** Words in a person, an object, an action or an address. */
  q: z.optional(text(0, 200)),
  did: z.optional(AuditAction),
  /** Restricts the list to the last `days` days. */
  days: queryInt({ min: 0, max: 3660, fallback: 0 }),
  refused: z.optional(z.enum(['true', 'false'])),
}

export const listAudit = route({
  method: 'GET',
  path: '/admin/audit',
  access: 'admin',
  summary:
    'The audit log, newest first: all of it for a super admin, else that of the companies the caller administers',
  query: z.object({
    ...filter,
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: AUDIT_LIMIT }),
  }),
  answer: z.object({ items: z.array(AuditEntry), total: z.int(), has_more: z.boolean() }),
})

export const exportAudit = route({
  method: 'GET',
  path: '/admin/audit/export',
  access: 'admin',
  sends: 'text/csv',
  summary: 'The same as a CSV file, oldest first',
  query: z.object({ ...filter, time_zone: TimeZone, language: Language }),
})

export const checkAudit = route({
  method: 'GET',
  path: '/admin/audit/check',
  access: 'super_admin',
  summary: 'Whether each entry still carries the fingerprint of the one before',
  answer: z.object({
    entries: z.int(),
    /** The first entry with a wrong fingerprint; null when all are correct. */
    broken_at: z.nullable(z.int()),
  }),
})
