import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { addDocument, storeBytes } from '../../../knowledge/documents/documents.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { OpenedMail } from '../../../platform/mailbox/mailbox.ts'
import type { Deps } from '../../../tools/deps.ts'

/** Another process stored the attachment at the same time. */
class StoredElsewhere extends Error {}

/** The documents that a mail has so far, by the places of their attachments. */
export type MailFiles = {
  userId: string
  known: ReadonlySet<number>
  /** Notes a document in the transaction that adds it. Returns false when another process noted one. */
  note: (trx: Kysely<Tables>, place: number, documentId: string) => Promise<boolean>
}

/**
 * Adds the attachments of a mail to the documents of a person, each once, also when a process was killed meanwhile. Empty ones are left
 * out. @throws AppError `too_large`, `quota_exceeded`, `storage_full`
 */
export async function storeAttachments(
  deps: Deps,
  { userId, known, note }: MailFiles,
  attachments: OpenedMail['attachments'],
): Promise<void> {
  for (const [place, { name, bytes }] of attachments.entries()) {
    if (known.has(place) || bytes.length === 0) continue
    const stored = await storeBytes(deps, userId, Readable.from([bytes], { objectMode: false }))
    try {
      await addDocument(deps, userId, stored, { name }, async (trx, id) => {
        if (!(await note(trx, place, id))) throw new StoredElsewhere()
      })
    } catch (error) {
      if (!(error instanceof StoredElsewhere)) throw error
      await deps.files.remove(stored.file_key)
    }
  }
}
