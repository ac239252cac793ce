import type { RunDeps } from '../../../runs/run-deps.ts'
import { createCutter } from './cut.ts'
import {
  deleteChunks,
  endChunking,
  holdAttempt,
  insertChunks,
  readElements,
  type Turn,
  type Work,
} from './store.ts'

/** Parts read, and chunks stored, per statement. */
const PARTS_AT_ONCE = 20
const CHUNKS_AT_ONCE = 200
/** Passages of a small document: embedding them takes a few seconds at most. */
const MAX_SMALL_CHUNKS = 64

/** The second phase: cuts the parsed elements into chunks and stores them in one transaction. */
export async function chunkReading({ db }: RunDeps, work: Work, { signal, next }: Turn): Promise<void> {
  const began = performance.now()
  await db.transaction().execute(async (trx) => {
    if (!(await holdAttempt(trx, work))) return
    await deleteChunks(trx, work)
    const cutter = createCutter(work.id)
    let count = 0
    const store = async (chunks: ReturnType<typeof cutter.take>) => {
      for (let from = 0; from < chunks.length; from += CHUNKS_AT_ONCE) {
        const some = chunks.slice(from, from + CHUNKS_AT_ONCE)
        await insertChunks(trx, work, some, count)
        count += some.length
      }
    }
    for (let from = 0; from < work.parts; from += PARTS_AT_ONCE) {
      signal.throwIfAborted()
      await store(cutter.take(await readElements(trx, work, from, from + PARTS_AT_ONCE)))
    }
    await store(cutter.end())
    await endChunking(trx, work, count, Math.round(performance.now() - began))
    await next(trx, { isSmall: count <= MAX_SMALL_CHUNKS })
  })
}
