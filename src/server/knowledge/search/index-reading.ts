import type { Platform } from '../../platform/platform.ts'
import { fromBytes, type IndexLanguage, type Row, type VectorTable } from '../../platform/vectors/vectors.ts'
import { type Collection, ensureLibrary, findLibrary, noteWrite } from '../collections/collections.ts'
import {
  type ChunkToIndex,
  chunksToIndex,
  findNotedAttempt,
  isIndexed,
  noteIndexed,
  type ReadingToIndex,
  readingToIndex,
  storedDimensions,
} from './index-store.ts'
import { passageTitle } from './passage-title.ts'

type Deps = Pick<Platform, 'db' | 'vectors' | 'config'>

/** Passages written per batch. */
const AT_ONCE = 500
/** Stored as the count while passages are written. */
const UNDER_WAY = -1

/** Indexes the passages of a reading and returns the library. Null while there is none: it is created with the dimensions of its first vector. */
export async function indexNewReading(
  deps: Deps,
  readingId: string,
  signal?: AbortSignal,
): Promise<Collection | null> {
  const dimensions = await storedDimensions(deps.db, readingId, deps.config.ATRIUM_EMBEDDING_MODEL)
  const library = dimensions === null ? await findLibrary(deps) : await ensureLibrary(deps, dimensions)
  if (library) await indexReading(deps, library, readingId, signal)
  return library
}

/** Indexes a reading without vectors, once per attempt, so that it is found by keywords while it is embedded. */
export async function indexForWords(
  deps: Deps,
  reading: { id: string; attempt: number },
  signal?: AbortSignal,
): Promise<void> {
  const library = await findLibrary(deps)
  if (library && !(await isIndexed(deps.db, library.id, reading)))
    await indexReading(deps, library, reading.id, signal)
}

/** Replaces the indexed passages of a reading in a collection. Returns their number. */
export async function indexReading(
  { db, vectors }: Pick<Deps, 'db' | 'vectors'>,
  library: Collection,
  readingId: string,
  signal?: AbortSignal,
): Promise<number> {
  const reading = await readingToIndex(db, readingId)
  if (!reading) return 0
  const table = vectors.table(library.table_name, library.spec)
  const noted = await findNotedAttempt(db, library.id, readingId)
  // Passages of the same attempt have the same ids: they are replaced without a moment in which words do not find them.
  if (noted !== reading.attempt) await noteIndexed(db, library.id, reading, UNDER_WAY)
  if (noted !== null && noted !== reading.attempt)
    await table.remove({ column: 'reading_id', equals: readingId })
  const count = await copy(db, { reading, library, table }, signal)
  await noteIndexed(db, library.id, reading, count)
  await noteWrite(db, library.id)
  return count
}

type Copy = { reading: ReadingToIndex; library: Collection; table: VectorTable }

async function copy(
  db: Deps['db'],
  { reading, library, table }: Copy,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0
  let after = -1
  for (;;) {
    signal?.throwIfAborted()
    const chunks = await chunksToIndex(db, reading.id, library.model ?? '', after, AT_ONCE)
    if (chunks.length === 0) return count
    await table.put(chunks.map((chunk) => rowOf(chunk, reading, library)))
    count += chunks.length
    after = chunks.at(-1)?.position ?? after
  }
}

function rowOf(chunk: ChunkToIndex, reading: ReadingToIndex, { spec }: Collection): Row {
  const [target] = spec.targets
  const vector = chunk.vector && fromBytes(chunk.vector)
  // A passage without a vector is found by keywords until it is embedded.
  const isOurs = target && vector && vector.length === target.dimensions
  return {
    ...{ id: chunk.id, reading_id: reading.id, document_id: reading.document_id },
    ...{ user_id: reading.user_id, company_id: reading.company_id, shared_access: [] },
    ...{ chunk_type: chunk.type, file_name: reading.name, file_type: reading.format ?? '' },
    ...{ page: chunk.page_number, position: chunk.position, created_at: reading.created_at.getTime() },
    language: languageOf(reading.language),
    title: passageTitle(reading.name, chunk.heading_path),
    text: chunk.text,
    metadata: { heading_path: chunk.heading_path, place: chunk.stands },
    vectors: isOurs && vector.some((number) => number !== 0) ? { [target.name]: vector } : {},
  }
}

const languageOf = (language: string | null): IndexLanguage =>
  language === 'en' || language === 'fr' ? language : 'xx'
