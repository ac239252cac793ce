import * as z from 'zod/mini'
import { Heir } from '../../chat/assistants/hand-over.ts'
import { route } from '../../platform/http.ts'
import { Id, Language, text } from '../../platform/primitives.ts'

/** Within so many hours nothing of an account is left, traces in the files of the search among it. */
export const ERASURE_HOURS = 24
/** So many days after its end a receipt can be had. */
export const RECEIPT_DAYS = 30

/** What a receipt counts, in the order in which it lists it; `file_bytes` are bytes. */
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

/** How many there are of each; what is left out is none. */
export const ErasedCounts = z.partialRecord(z.enum(erasedKinds), z.int())
export type ErasedCounts = z.infer<typeof ErasedCounts>

/** What was deleted of an account, in numbers: a receipt names nobody and holds no content. */
export const Receipt = z.object({
  id: Id,
  asked_by: z.enum(['person', 'administrator']),
  requested_at: z.string(),
  /** Until then everything is gone. */
  due_at: z.string(),
  /** Null while it goes on: the counts grow. */
  finished_at: z.nullable(z.string()),
  counts: ErasedCounts,
})
export type Receipt = z.infer<typeof Receipt>

/** The way to a receipt, given this once. */
export const ErasureBegun = z.object({ token: z.string(), due_at: z.string() })
export type ErasureBegun = z.infer<typeof ErasureBegun>

/** What others use of an account, and who could go on with it: the first fifty, those who could take most first. */
const SharedOnes = z.object({ assistants: z.int(), heirs: z.array(Heir) })
export type SharedOnes = z.infer<typeof SharedOnes>

/**
 * `email` is typed to confirm. The password is left out by who has none and has signed in within 15 minutes. `heir_id` becomes the owner
 * of the shared assistants they may edit; without one they are deleted with the account.
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
  answer: z.object({ counts: ErasedCounts, shared: SharedOnes }),
})

export const eraseOwn = route({
  method: 'POST',
  path: '/users/me/erasure',
  access: 'user',
  fails: ['conflict', 'not_found'],
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
  answer: z.object({ shared: SharedOnes }),
})

export const erasePerson = route({
  method: 'POST',
  path: '/admin/users/:userId/erasure',
  access: 'admin',
  may: 'manage user',
  fails: ['conflict'],
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
