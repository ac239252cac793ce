import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { NamedMention } from '#shared/chat/messages/mentions.ts'
import type { MessageFile } from '#shared/chat/messages/message-files.ts'
import { MESSAGE_MAX_BYTES } from '#shared/chat/messages/messages.ts'
import { previewOf } from '#shared/chat/sessions/preview.ts'
import { titleFromMessage } from '#shared/chat/sessions/titles.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { assertTermsAccepted } from '../../identity/terms/terms.ts'
import { grownBy, takeStorage } from '../../money/storage/storage.ts'
import { cleanCharacters, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { toMessage } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { readFiles } from './message-file-store.ts'
import { findByClientId, findMessage } from './store.ts'
import { isBefore, loadTree } from './tree-store.ts'

type SessionRow = { id: string; user_id: string; title_source: string; active_leaf: string | null }

export type NewMessage = {
  /** The author. In a chat shared with a project, it may be someone other than the owner of the chat. */
  author_id: string
  /** The author sends a text that someone else wrote. */
  is_by_others?: boolean
  content: string
  client_id?: string
  /** The message it follows: null for a first message, absent for the end of the active branch. */
  parent_id?: string | null
  /** Follows the end of the branch of `parent_id`, when messages were added behind that one. */
  at_end?: boolean
  /** Refuses the message when the session already has one. */
  is_first?: boolean
  /** Marks it as an edited alternative of another message. */
  is_modified?: boolean
  /** Stored for the later call that requests the reply. */
  tool_choice?: string | null
  model_name?: string | null
  /** Documents of the session that are sent with it. */
  document_ids?: string[]
  /** The files of the message that it replaces, which may have left the session. */
  files?: MessageFile[]
  /** Mentions of the message, with their names. */
  mentions?: NamedMention[]
}

/** Returns storable text. @throws AppError `invalid` when it is empty, `too_large` above 1 MB */
export function checkContent(content: string): string {
  if (Buffer.byteLength(content) > MESSAGE_MAX_BYTES) {
    throw new AppError('too_large', 'The message is larger than 1 MB. Attach it as a document instead.')
  }
  const clean = cleanCharacters(content)
  if (clean.trim() === '') throw new AppError('invalid', 'Message content is required.')
  return clean
}

/**
 * Appends a user message to the tree and makes it the active leaf. The first message also sets the session's title. The
 * caller holds the session lock. @throws AppError `not_found` for an unknown parent, `invalid` for a document that is not in the chat
 */
export async function storeMessage(
  trx: Kysely<Tables>,
  session: SessionRow,
  {
    content,
    client_id,
    parent_id,
    at_end,
    is_modified,
    tool_choice,
    model_name,
    document_ids = [],
    mentions = [],
    author_id,
    is_by_others = false,
    ...given
  }: NewMessage,
  now: Date,
): Promise<Message> {
  const named = parent_id === undefined ? session.active_leaf : parent_id
  if (named !== null) await findMessage(trx, session.id, named)
  const parent = at_end ? await findEnd(trx, session, named) : named
  const files = given.files ?? (await readFiles(trx, session.id, document_ids))
  const row = await trx
    .insertInto('messages')
    .values({
      ...{ id: randomUUID(), session_id: session.id, parent_id: parent, client_id, role: 'user', content },
      is_modified,
      is_by_others: is_by_others || author_id !== session.user_id,
      metadata: toJson({
        ...(tool_choice && { tool_choice }),
        ...(model_name && { model_name }),
        ...(files.length > 0 && { files }),
        ...(mentions.length > 0 && { mentions }),
      }),
    })
    // Leaves out the content, which may be a megabyte.
    .returning(['id', 'session_id', 'parent_id', 'client_id', 'role', 'agent_type', 'model_name'])
    .returning(['blocks', 'status', 'is_modified', 'metadata', 'created_at', 'bytes'])
    .executeTakeFirstOrThrow()
  const title = session.title_source === 'default' ? titleFromMessage(content) : ''
  await trx
    .updateTable('sessions')
    .set({
      ...{ active_leaf: row.id, updated_at: now, preview: cleanCharacters(previewOf(content)) },
      stored_bytes: grownBy(Buffer.byteLength(content)),
      ...(title ? { title, title_source: 'message' as const } : {}),
    })
    .where('id', '=', session.id)
    .execute()
  return toMessage({ ...row, content })
}

/**
 * Returns the end of the branch of a message: the active leaf when that follows the message, otherwise the most recently viewed one
 * below it. A message that another browser, the queue or a schedule added is followed, so that no second branch begins unasked.
 */
async function findEnd(
  trx: Kysely<Tables>,
  { id, active_leaf }: Pick<SessionRow, 'id' | 'active_leaf'>,
  messageId: string | null,
): Promise<string | null> {
  if (messageId === null || messageId === active_leaf) return active_leaf
  const { nodes } = await loadTree(trx, id)
  const node = nodes.get(messageId)
  const leaf = nodes.get(active_leaf ?? '')
  if (node && leaf && isBefore(node, leaf)) return leaf.id
  return node?.last.id ?? messageId
}

/** Stores a message of its author. @throws AppError `terms_due`, `quota_exceeded`, and as `storeMessage` */
export async function append(
  trx: Kysely<Tables>,
  { clock, config }: Deps,
  sessionId: string,
  message: NewMessage,
) {
  const session = await trx
    .selectFrom('sessions')
    .select(['id', 'user_id', 'title_source', 'active_leaf', 'origin'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  // Visitors of an embedded assistant are not people of the company.
  if (session.origin !== 'embed') await assertTermsAccepted(trx, message.author_id)
  assertFirst(session, message)
  await takeStorage({ db: trx, config }, session.user_id, Buffer.byteLength(message.content))
  return storeMessage(trx, session, message, clock.now())
}

/** @throws AppError `chat_begun` for a first message where there is one */
export function assertFirst(
  { active_leaf }: Pick<SessionRow, 'active_leaf'>,
  { is_first }: Pick<NewMessage, 'is_first'>,
): void {
  if (is_first && active_leaf !== null)
    throw new AppError('chat_begun', 'This chat has been begun elsewhere. Start another one.')
}

/** Locks the session and finds the message, so that a concurrent repetition waits and finds it. Adding documents is not blocked. */
export async function lockAndFind(trx: Kysely<Tables>, sessionId: string, clientId: string | undefined) {
  await trx.selectFrom('sessions').select('id').where('id', '=', sessionId).forNoKeyUpdate().execute()
  return findByClientId(trx, sessionId, clientId)
}
