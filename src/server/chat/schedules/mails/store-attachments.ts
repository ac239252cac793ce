import { Readable } from 'node:stream'
import { addDocument, storeBytes } from '../../../knowledge/documents/documents.ts'
import type { OpenedMail } from '../../../platform/mailbox/mailbox.ts'
import type { Deps } from '../../../tools/deps.ts'
import { insertAttachment, listStoredPlaces, type MailTarget } from './mail-store.ts'

/** Another process stored the attachment at the same time. */
class StoredElsewhere extends Error {}

/**
 * Adds the attachments of a mail to the documents of the owner, each once, also when a process was killed meanwhile. Empty ones are left out.
 * @throws AppError `too_large`, `quota_exceeded`, `storage_full`
 */
export async function storeAttachments(
  deps: Deps,
  { id, user_id }: Pick<MailTarget, 'id' | 'user_id'>,
  mailId: string,
  attachments: OpenedMail['attachments'],
): Promise<void> {
  const known = await listStoredPlaces(deps.db, id, mailId)
  for (const [place, { name, bytes }] of attachments.entries()) {
    if (known.has(place) || bytes.length === 0) continue
    const stored = await storeBytes(deps, user_id, Readable.from([bytes], { objectMode: false }))
    try {
      await addDocument(deps, user_id, stored, { name }, async (trx, document_id) => {
        const row = { schedule_id: id, foreign_id: mailId, place, document_id }
        if (!(await insertAttachment(trx, row))) throw new StoredElsewhere()
      })
    } catch (error) {
      if (!(error instanceof StoredElsewhere)) throw error
      await deps.files.remove(stored.file_key)
    }
  }
}
