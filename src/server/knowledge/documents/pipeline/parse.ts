import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DocumentPart } from '#shared/knowledge/documents/documents.ts'
import { sending } from '../../../platform/access/classes/classes.ts'
import type { Summary } from '../../../platform/parsing/parsing.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { addInner } from '../library/add.ts'
import { readDepth } from '../library/add-store.ts'
import { folderOf } from '../library/files.ts'
import { readingLimits, readingSettings } from './reading-settings.ts'
import {
  deleteParts,
  endParsing,
  holdAttempt,
  insertParts,
  noteProgress,
  type Turn,
  type Work,
} from './store.ts'

/** Minimum interval between progress updates. */
const NOTE_EVERY_MS = 500
/** Parts stored per statement. A document with no more is small. */
const PARTS_AT_ONCE = 20

/** The first phase: a separate process parses the file; its result is stored together with the request for the next phase. */
export async function parseReading(deps: RunDeps, work: Work, { signal, next }: Turn): Promise<void> {
  const began = performance.now()
  const wish = {
    ...({
      name: work.name,
      pipeline: work.pipeline,
      language: work.language === 'fr' ? 'fr' : 'en',
    } as const),
    ...(work.encoding && { encoding: work.encoding }),
    limits: readingLimits(deps.config, await readDepth(deps.db, work.id)),
    settings: await sending({ readingIds: [work.id] }, () => readingSettings(deps)),
  }
  await deps.parsing.read(wish, {
    signal,
    onProgress: noteNowAndThen(deps, work),
    bring: async (path) => pipeline(await deps.files.read(work.file_key), createWriteStream(path)),
    use: (summary, folder) => store(deps, work, summary, { folder, began, next }),
  })
}

async function store(
  deps: RunDeps,
  work: Work,
  summary: Summary,
  { folder, began, next }: { folder: string; began: number; next: Turn['next'] },
): Promise<void> {
  const { format, language, facts, report, files, parts } = summary
  const stored_bytes = await keepFiles(deps, work, folder, files)
  const inner = summary.attachments.length > 0 ? await addInner(deps, work, summary.attachments) : null
  await deps.db.transaction().execute(async (trx) => {
    if (!(await holdAttempt(trx, work))) return
    await deleteParts(trx, work)
    for await (const some of portions(join(folder, 'parts.ndjson'))) await insertParts(trx, work, some)
    await inner?.insert(trx)
    const parse_ms = Math.round(performance.now() - began)
    await endParsing(trx, work, { format, language, facts, report, files, parts, stored_bytes, parse_ms })
    await next(trx, { isSmall: parts <= PARTS_AT_ONCE })
  })
  await inner?.clear()
}

/** Stores the files for the viewers and returns their total bytes. */
async function keepFiles({ files }: RunDeps, work: Work, folder: string, names: string[]): Promise<number> {
  let bytes = 0
  for (const name of names) {
    const path = join(folder, name)
    bytes += (await stat(path)).size
    await files.write(`${folderOf(work.id)}${name}`, createReadStream(path))
  }
  return bytes
}

/** Parses the lines of a file as parts and yields a few at a time. */
async function* portions(path: string): AsyncGenerator<DocumentPart[]> {
  const file = await open(path)
  let some: DocumentPart[] = []
  for await (const line of file.readLines()) {
    some.push(DocumentPart.parse(JSON.parse(line)))
    if (some.length < PARTS_AT_ONCE) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

function noteNowAndThen({ db, log }: RunDeps, work: Work): (done: number, total: number) => void {
  let noted = 0
  return (done, total) => {
    const now = Date.now()
    if (now - noted < NOTE_EVERY_MS) return
    noted = now
    noteProgress(db, work, done, total).catch((error) => log.debug({ error }, 'progress was not stored'))
  }
}
