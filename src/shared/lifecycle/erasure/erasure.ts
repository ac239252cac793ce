import * as z from 'zod/mini'
import { Heir } from '../../chat/assistants/hand-over.ts'
import { route } from '../../platform/http.ts'
import { Id, Language, text } from '../../platform/primitives.ts'

/** Maximum hours until all data of an account is deleted, including traces in search files. */
export const ERASURE_HOURS = 24
/** Days that a receipt is available after the erasure ended. */
export const RECEIPT_DAYS = 30

/** Kinds of data that a receipt counts, in display order; `file_bytes` is in bytes. */
export const erasedKinds = [
  'chats',
  'messages',
  'documents',
  'passages',
  'vectors',
  'files',
  'file_bytes',
  'workspaces',
  'assistants',
  'tools',
  'links',
  'exports',
  'api_keys',
  'sign_ins',
  'passkeys',
  'connections',
  'ledger_entries',
  'mails',
] as const

/** Number of deleted items per kind; absent means 0. */
export const ErasedCounts = z.partialRecord(z.enum(erasedKinds), z.int())
export type ErasedCounts = z.infer<typeof ErasedCounts>

/** Counts of an account's deleted data. A receipt contains no names and no content. */
export const Receipt = z.object({
  id: Id,
  asked_by: z.enum(['person', 'administrator']),
  requested_at: z.string(),
  /** Time by which everything is deleted. */
  due_at: z.string(),
  /** Null while the erasure is running and the counts grow. */
  finished_at: z.nullable(z.string()),
  counts: ErasedCounts,
})
export type Receipt = z.infer<typeof Receipt>

/** Token for the receipt; only this response contains it. */
export const ErasureBegun = z.object({ token: z.string(), due_at: z.string() })
export type ErasureBegun = z.infer<typeof ErasureBegun>

/** Shared assistants of an account and their possible next owners: the first fifty, those who could take most first. */
const SharedOnes = z.object({ assistants: z.int(), heirs: z.array(Heir) })
export type SharedOnes = z.infer<typeof SharedOnes>

/**
 * `email` is typed to confirm. Accounts without a password omit it when they signed in within 15 minutes. `heir_id` becomes
 * the owner of shared assistants they may edit; without an heir they are deleted.
 */
const Confirmed = z.object({
  email: text(1, 320),
  current_password: z.optional(text(1, 256)),
  heir_id: z.optional(Id),
})

export const countOwn = route({
  method: 'GET',
  path: '/users/me/erasure',
  access: 'user',
  summary: 'What would be deleted with the account of the caller, in numbers',
  /** `is_held`: a legal hold forbids the deletion. */
  answer: z.object({ counts: ErasedCounts, shared: SharedOnes, is_held: z.boolean() }),
})

export const eraseOwn = route({
  method: 'POST',
  path: '/users/me/erasure',
  access: 'user',
  fails: ['conflict', 'held', 'not_found'],
  summary:
    'Delete the account of the caller with all that is theirs: signed out everywhere at once, everything else within a day',
  status: 202,
  body: Confirmed,
  answer: ErasureBegun,
})

export const countShared = route({
  method: 'GET',
  path: '/admin/users/:userId/erasure',
  access: 'admin',
  may: 'manage user',
  summary: 'What others use of a person’s account that would be deleted, and who could go on with it',
  params: z.object({ userId: Id }),
  answer: z.object({ shared: SharedOnes, is_held: z.boolean() }),
})

export const erasePerson = route({
  method: 'POST',
  path: '/admin/users/:userId/erasure',
  access: 'admin',
  may: 'manage user',
  fails: ['conflict', 'held'],
  summary: 'Delete the account of a person with all that is theirs; the password is the administrator’s own',
  status: 202,
  params: z.object({ userId: Id }),
  body: Confirmed,
  answer: ErasureBegun,
})

const Token = z.object({ token: text(1, 64) })

export const readReceipt = route({
  method: 'GET',
  path: '/receipts/:token',
  access: 'public',
  may: null,
  summary: 'What was deleted of an account, for whoever has the link of its receipt',
  params: Token,
  answer: Receipt,
})

export const readReceiptFile = route({
  method: 'GET',
  path: '/receipts/:token/file',
  access: 'public',
  may: null,
  sends: 'text/plain',
  summary: 'The same as a text to keep',
  params: Token,
  query: z.object({ language: z._default(Language, 'en') }),
})
