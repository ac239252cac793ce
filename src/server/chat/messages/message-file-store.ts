import type { Kysely } from 'kysely'
import type { MessageFile } from '#shared/chat/messages/message-files.ts'
import { AppError } from '#shared/platform/errors.ts'
import { isPresent } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Returns documents of a chat in the order of the ids. @throws AppError `invalid` for one that is not in the chat */
export async function readFiles(
  db: Kysely<Tables>,
  sessionId: string,
  documentIds: readonly string[],
): Promise<MessageFile[]> {
  const ids = [...new Set(documentIds)]
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('session_documents as link')
    .innerJoin('documents as document', 'document.id', 'link.document_id')
    .select(['document.id', 'document.name'])
    .where('link.session_id', '=', sessionId)
    .where('document.id', 'in', ids)
    .where(isPresent('document', 'document'))
    .execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return ids.map((document_id) => {
    const name = names.get(document_id)
    if (name === undefined) throw new AppError('invalid', 'A file of the message is not in this chat.')
    return { document_id, name }
  })
}
