import type { ForeignDocument, ForeignVersion } from '../readers/foreign.ts'
import { takeClass } from './class-store.ts'
import { countVersions, readReading, setDocumentFacts } from './document-store.ts'
import { findThing, insertThings } from './thing-store.ts'
import { Repeated, type Work } from './work.ts'
import { storeFile } from './write-file.ts'

/**
 * Stores a document with its versions, one after another, so that a repetition after a kill continues. A document that the person changed
 * since gets no more versions.
 * @throws AppError `quota_exceeded`, `storage_full`
 */
export async function writeDocument(work: Work, document: ForeignDocument): Promise<void> {
  for (const [at, version] of document.versions.entries()) {
    work.signal.throwIfAborted()
    if (!(await writeVersion(work, document, version, at))) return
  }
}

/** Returns false when no version can follow. */
async function writeVersion(
  work: Work,
  document: ForeignDocument,
  { number, file, pipeline }: ForeignVersion,
  count: number,
): Promise<boolean> {
  const { deps, origin, importId } = work
  const { id } = document.file
  const foreign_id = `${id}/${number}`
  if ((await findThing(deps.db, origin, 'version', foreign_id)) !== null) return true
  const known = await findThing(deps.db, origin, 'file', id)
  const isNext = known === null ? count === 0 : (await countVersions(deps.db, known)) === count && count > 0
  if (!isNext) return false
  const wish = {
    ...(known !== null && { document_id: known }),
    ...(pipeline && { processing_pipeline: pipeline }),
    ...(document.sourceUrl && { source_url: document.sourceUrl }),
  }
  const stored = await storeFile(work, file, wish, async (trx, thing_id) => {
    if ((await findThing(trx, origin, 'version', foreign_id)) !== null) throw new Repeated()
    const place = { ...origin, import_id: importId, session_id: null }
    if (known === null) {
      if ((await findThing(trx, origin, 'file', id)) !== null) throw new Repeated()
      await insertThings(trx, { ...place, kind: 'file' }, [{ foreign_id: id, thing_id }])
    } else if ((await countVersions(trx, known)) !== count + 1) throw new Repeated()
    await setDocumentFacts(trx, thing_id, document)
    if (document.dataClass)
      await takeClass(trx, { kind: 'document', id: thing_id, userId: origin.user_id }, document.dataClass)
    const reading = await readReading(trx, thing_id)
    await insertThings(trx, { ...place, kind: 'version' }, [{ foreign_id, thing_id: reading }])
  })
  return stored !== null && stored !== 'repeated'
}
