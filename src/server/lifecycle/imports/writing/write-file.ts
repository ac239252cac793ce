import { Readable } from 'node:stream'
import { AppError } from '#shared/platform/errors.ts'
import { addDocument, linkToSession, storeBytes } from '../../../knowledge/documents/documents.ts'
import { AFTER_READING, insertProblems } from '../import-store.ts'
import type { ForeignFile } from '../readers/foreign.ts'
import { isRefused, safeFileName } from '../readers/foreign-files.ts'
import { addMessageFile, findDocumentName, hasDocument } from './chat-store.ts'
import { findThing, forgetThing, insertThings } from './thing-store.ts'
import { holdImport, Repeated, type Work } from './work.ts'

type Place = { sessionId: string | null; messageId: string | null; tags?: string[] }

/**
 * Stores a file of an export as a document, once, and lists it with its message. Returns its document id, or null for a file that the
 * export does not contain or that cannot be stored.
 * @throws AppError `quota_exceeded`, `storage_full`
 */
export async function writeFile(work: Work, file: ForeignFile, place: Place): Promise<string | null> {
  work.signal.throwIfAborted()
  const known = await findKnown(work, file)
  if (known) return known.isTrashed ? null : linkKnown(work, known, place)
  const wish = {
    ...(place.sessionId && { chat_session_id: place.sessionId }),
    ...(place.tags && { path: place.tags.join('/') }),
  }
  const id = await storeFile(work, file, wish, async (trx, thing_id, name) => {
    if ((await findThing(trx, work.origin, 'file', file.id)) !== null) throw new Repeated()
    const from = { ...work.origin, kind: 'file' as const, import_id: work.importId, session_id: null }
    await insertThings(trx, from, [{ foreign_id: file.id, thing_id }])
    if (place.messageId) await addMessageFile(trx, place.messageId, { document_id: thing_id, name })
  })
  return id === 'repeated' ? writeFile(work, file, place) : id
}

type Also = (trx: Work['deps']['db'], id: string, name: string) => Promise<void>

/**
 * Stores the bytes of a file as a document or a version of one. `also` runs in the same transaction; when it throws `Repeated`, nothing
 * is stored. Returns null for a file that the export does not contain or that cannot be stored.
 * @throws AppError `quota_exceeded`, `storage_full`
 */
export async function storeFile(
  work: Work,
  file: ForeignFile,
  wish: Omit<Parameters<typeof addDocument>[3], 'name'>,
  also: Also,
): Promise<string | 'repeated' | null> {
  const name = safeFileName(file.name)
  if (!file.content || file.content.from === 'elsewhere' || isRefused(name)) return null
  const { deps, origin, importId } = work
  try {
    const stored = await storeBytes(deps, origin.user_id, await open(work, file.content))
    return await addDocument(deps, origin.user_id, stored, { ...wish, name }, async (trx, id) => {
      await holdImport(work, trx)
      await also(trx, id, name)
    })
  } catch (error) {
    if (error instanceof Repeated) return 'repeated'
    const reason = error instanceof AppError ? refusals[error.code] : undefined
    if (!reason) throw error
    const problem = { kind: 'file' as const, title: name, reason }
    await insertProblems(deps.db, importId, [{ ...problem, place: AFTER_READING, number: numberOf(file.id) }])
    return null
  }
}

/** Refusals that concern one file only. */
const refusals: Partial<Record<string, 'empty' | 'too_large' | 'damaged'>> = {
  ...{ invalid: 'empty', too_large: 'too_large', malformed: 'damaged' },
}

async function findKnown({ deps: { db }, origin }: Work, { id }: ForeignFile) {
  const thing = await findThing(db, origin, 'file', id)
  if (thing === null) return null
  const name = await findDocumentName(db, thing)
  if (name !== null) return { id: thing, name, isTrashed: false }
  if (await hasDocument(db, thing)) return { id: thing, name: '', isTrashed: true }
  await forgetThing(db, origin, 'file', id)
  return null
}

async function linkKnown(
  work: Work,
  { id, name }: { id: string; name: string },
  { sessionId, messageId }: Place,
): Promise<string> {
  if (sessionId === null) return id
  await work.deps.db.transaction().execute(async (trx) => {
    await holdImport(work, trx)
    await linkToSession(trx, sessionId, [id])
    if (messageId) await addMessageFile(trx, messageId, { document_id: id, name })
  })
  return id
}

async function open(
  { opened }: Work,
  content: Exclude<NonNullable<ForeignFile['content']>, { from: 'elsewhere' }>,
): Promise<Readable> {
  if (content.from === 'member') return opened.read(content.name)
  if (content.from === 'text') return Readable.from([Buffer.from(content.text)], { objectMode: false })
  return Readable.from([Buffer.from(content.data, 'base64')], { objectMode: false })
}

/** A number that a repetition finds again. */
function numberOf(id: string): number {
  let hash = 0
  for (const letter of id) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 2_000_000_000
  return hash
}
