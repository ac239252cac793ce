import type { Document } from '#shared/knowledge/documents/documents.ts'
import { AppError } from '#shared/platform/errors.ts'
import { assertBalance } from '../../money/billing/billing.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import type { OpenedSource } from '../connectors/connectors.ts'
import { addDocument, plainName, readDocument, showDocuments, storeBytes } from '../documents/documents.ts'
import { withPick } from './open-pick.ts'
import { lockTaken, noteTaken, type PickRow } from './pick-store.ts'

/** Time to read one file. */
const READ_SECONDS = 600

/** The file became a document before, or in another request at the same time. */
class TakenBefore extends Error {
  readonly documentId: string

  constructor(documentId: string) {
    super('The file was taken before.')
    this.documentId = documentId
  }
}

type Wish = { chat_session_id: string; id: string; path: string }

/** Reads a picked file into a document of a chat that the person may write, once. @throws as an upload, and AppError of the source */
export async function takePicked(
  deps: RunDeps,
  user: Caller,
  pick: PickRow,
  { chat_session_id, id, path }: Wish,
): Promise<Document> {
  await assertBalance(deps, user.id)
  if (pick.picked.length > 0 && !pick.picked.includes(id))
    throw new AppError('not_found', 'This file was not picked.')
  const key = `${chat_session_id} ${id}`
  try {
    const known = await deps.db.transaction().execute((trx) => lockTaken(trx, pick.id, key))
    if (known) throw new TakenBefore(known)
    return await show(deps, user, await read(deps, user, pick, { chat_session_id, id, path }, key))
  } catch (error) {
    if (error instanceof TakenBefore) return show(deps, user, error.documentId)
    throw error
  }
}

const read = (deps: RunDeps, user: Caller, pick: PickRow, { chat_session_id, id, path }: Wish, key: string) =>
  withPick(deps, pick, READ_SECONDS, async (source: OpenedSource, signal) => {
    const item = await source.item?.({ id, path })
    if (!item) throw new AppError('not_available', 'Files of this source cannot be picked here.')
    const stored = await storeBytes(deps, user.id, await source.read({ id, path }, signal))
    const wish = { name: plainName(item.name), chat_session_id, ...(item.url && { source_url: item.url }) }
    try {
      return await addDocument(
        deps,
        user.id,
        stored,
        wish,
        (trx, documentId) => noteTaken(trx, pick.id, key, documentId),
        async (trx) => {
          const known = await lockTaken(trx, pick.id, key)
          if (known) throw new TakenBefore(known)
        },
      )
    } catch (error) {
      if (error instanceof TakenBefore) await deps.files.remove(stored.file_key)
      throw error
    }
  })

async function show(deps: RunDeps, user: Caller, id: string): Promise<Document> {
  await findAllowed(deps.db, user, 'read document', id)
  const row = await readDocument(deps.db, id)
  const [document] = row ? await showDocuments(deps, [row]) : []
  if (!document) throw new AppError('not_found', 'Document not found')
  return document
}
