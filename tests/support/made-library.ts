import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { AllDeps } from '../../src/server/feature.ts'
import { ensureLibrary } from '../../src/server/knowledge/collections/collections.ts'
import { type Row, toBytes } from '../../src/server/platform/vectors/vectors.ts'
import { createRandom } from '../faults/random.ts'

type Made = { people: readonly string[]; documents: number; passages: number }
type Options = Made & { seed?: number; dimensions?: number; tell?: (done: number) => void }

const CLUSTERS = 64
const BATCH_SIZE = 1_000

/** Returns vectors in clusters, like those of texts about a few subjects; deterministic by seed and number. */
export function madeVectors(dimensions = 384, seed = 7): (at: number) => Float32Array {
  const centres = Array.from({ length: CLUSTERS }, (_, at) => {
    const random = createRandom(seed * 1_000 + at)
    return Float32Array.from({ length: dimensions }, () => random() - 0.5)
  })
  return (at) => {
    const random = createRandom(seed * 1_000_003 + at)
    const centre = centres[Math.floor(random() * CLUSTERS)] as Float32Array
    const vector = centre.map((value) => value + (random() - 0.5))
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
}

const syllables = ['ba', 'co', 'di', 'fu', 'ga', 'le', 'mi', 'no', 'pe', 'ra', 'su', 'ta', 'vo', 'xi', 'ze']
const wordOf = (n: number): string =>
  (n < syllables.length ? '' : wordOf(Math.floor(n / syllables.length) - 1)) + syllables[n % syllables.length]

/** Returns words with a natural distribution: few frequent, many rare. */
export function madeText(at: number, words = 60, seed = 7): string {
  const random = createRandom(seed * 7_000_003 + at)
  return Array.from({ length: words }, () => wordOf(15 + Math.floor(8_000 ** random()))).join(' ')
}

/**
 * Creates a library of this many processed documents per person, with generated texts and vectors, in the database and in
 * the vector store, ready to be searched. The passage `n` has the text and the vector of this number.
 */
export async function makeLibrary(
  deps: Pick<AllDeps, 'db' | 'vectors' | 'config'>,
  { people, documents, passages, seed = 7, dimensions = 384, tell }: Options,
): Promise<void> {
  const { db, vectors, config } = deps
  const library = await ensureLibrary(deps, dimensions)
  const table = vectors.table(library.table_name, library.spec)
  const vectorAt = madeVectors(dimensions, seed)
  let at = 0
  let rows: Row[] = []
  const store = async () => {
    const part = rows
    rows = []
    await sql`insert into chunks (id, reading_id, position, element_id, type, text, place, is_embedded)
      select id, reading_id, position, 'e', 'NarrativeText', text, '{}', true from unnest(
        ${part.map(({ id }) => id)}::uuid[], ${part.map(({ reading_id }) => reading_id)}::uuid[],
        ${part.map(({ position }) => position)}::int[], ${part.map(({ text }) => text)}::text[])
        as c (id, reading_id, position, text)`.execute(db)
    await sql`insert into chunk_vectors (chunk_id, model, vector)
      select id, ${config.ATRIUM_EMBEDDING_MODEL}, vector from unnest(${part.map(({ id }) => id)}::uuid[],
        ${part.map(({ vectors: { default: vector } }) => toBytes(vector as Float32Array))}::bytea[])
        as v (id, vector)`.execute(db)
    await table.put(part)
    tell?.(at)
  }
  for (const user_id of people) {
    for (const { document_id, reading_id, name } of await insertDocuments(
      deps,
      user_id,
      documents,
      passages,
    )) {
      for (let position = 0; position < passages; position += 1) {
        rows.push({
          ...{ id: randomUUID(), reading_id, document_id, user_id, company_id: null, shared_access: [] },
          ...{ chunk_type: 'NarrativeText', file_name: name, file_type: 'txt', page: null, position },
          ...{ created_at: 0, language: 'en', title: name, text: madeText(at, 60, seed), metadata: {} },
          vectors: { default: vectorAt(at) },
        })
        at += 1
        if (rows.length === BATCH_SIZE) await store()
      }
    }
  }
  if (rows.length > 0) await store()
  await sql`insert into indexed_readings (collection_id, reading_id, attempt, chunks)
    select ${library.id}, r.id, r.attempt, r.chunks from readings r on conflict do nothing`.execute(db)
  await sql`analyze`.execute(db)
}

type MadeDocument = { document_id: string; reading_id: string; name: string }

async function insertDocuments(
  { db, config }: Pick<AllDeps, 'db' | 'config'>,
  user_id: string,
  count: number,
  passages: number,
): Promise<MadeDocument[]> {
  const made = Array.from({ length: count }, (_, at) => ({
    ...{ blob: randomUUID(), reading_id: randomUUID(), document_id: randomUUID(), name: `Report ${at}.txt` },
  }))
  const given = sql`unnest(${made.map(({ blob }) => blob)}::uuid[], ${made.map(({ reading_id }) => reading_id)}::uuid[],
    ${made.map(({ document_id }) => document_id)}::uuid[], ${made.map(({ name }) => name)}::text[])
    as m (blob, reading, document, name)`
  await sql`insert into blobs (id, user_id, sha256, size, file_key)
    select blob, ${user_id}, blob::text, 1, 'blobs/' || blob from ${given}`.execute(db)
  await sql`insert into readings (id, blob_id, user_id, pipeline, name, status, phase, format, language, chunks, embedding_model)
    select reading, blob, ${user_id}, 'normal', name, 'completed', 'EMBEDDING', 'txt', 'en', ${passages},
      ${config.ATRIUM_EMBEDDING_MODEL} from ${given}`.execute(db)
  await sql`insert into documents (id, user_id, name, extension, size, reading_id, status, format, language)
    select document, ${user_id}, name, 'txt', 1, reading, 'completed', 'txt', 'en' from ${given}`.execute(db)
  await sql`insert into document_versions (document_id, version, reading_id, name)
    select document, 1, reading, name from ${given}`.execute(db)
  return made
}
