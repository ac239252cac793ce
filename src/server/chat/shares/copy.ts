import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { previewOf } from '#shared/chat/sessions/preview.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { addDocument, storeBytes } from '../../knowledge/documents/documents.ts'
import { takeStorage } from '../../money/storage/storage.ts'
import type { Person } from '../../platform/access/access.ts'
import { copyClass, copyPathSources } from '../../platform/access/classes/classes.ts'
import { cleanCharacters, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Deps } from '../../tools/deps.ts'
import { loadMessages } from '../messages/messages.ts'
import { type CopiedMessage, insertCopy } from './copy-store.ts'
import { listShown, withoutPictures } from './read-shared.ts'
import type { FileRow, OpenLink } from './store.ts'

/** Maximum messages of a copy. */
const MAX_MESSAGES = 2_000

/**
 * Copies the messages and visible files of a link into a private chat, without steps, tool calls and their files.
 * @throws AppError `quota_exceeded`, `too_large`
 */
export async function copyChat(deps: Deps, user: Person, link: OpenLink, files: FileRow[]): Promise<string> {
  const ids = await listShown(deps, link)
  if (ids.length > MAX_MESSAGES) throw new AppError('too_large', 'This chat is too long to be copied.')
  const copied = chain(await loadMessages(deps.db, ids))
  const bytes = copied.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  const id = randomUUID()
  await deps.db.transaction().execute(async (trx) => {
    await takeStorage({ ...deps, db: trx }, user.id, bytes)
    const preview = cleanCharacters(previewOf(copied.at(-1)?.content ?? ''))
    await insertCopy(trx, { id, user_id: user.id, title: link.title, preview, stored_bytes: bytes }, copied)
    const leafId = ids.at(-1)
    if (leafId) await copyPathSources(trx, { leafId, sessionId: id })
  })
  for (const { document_id, file_key, name } of files) {
    const stored = await storeBytes(deps, user.id, await deps.files.read(file_key))
    const classify = (trx: Kysely<Tables>, to: string) => copyClass(trx, { from: document_id, to })
    await addDocument(deps, user.id, stored, { name, chat_session_id: id }, classify)
  }
  return id
}

/** Gives the messages new ids and chains each to the one before. */
function chain(messages: Message[]): CopiedMessage[] {
  let parent_id: string | null = null
  return messages.map(({ role, content, blocks, created_at, agent_type, model_name, metadata }) => {
    const id = randomUUID()
    const texts = blocks.flatMap((block) =>
      block.type === 'text' ? { ...block, step: undefined, text: withoutPictures(block.text) } : [],
    )
    const copy = {
      ...{ id, parent_id, role, agent_type, model_name, content: withoutPictures(content) },
      ...{ blocks: toJson(texts), created_at: new Date(created_at), status: 'completed', is_by_others: true },
      metadata: toJson(metadata.assistant === undefined ? {} : { assistant: metadata.assistant }),
    }
    parent_id = id
    return copy
  })
}
