import type { ImportState } from '#shared/lifecycle/imports/imports.ts'
import { AppError } from '#shared/platform/errors.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { collectSooner } from '../../platform/process/collect-sooner.ts'
import type { Deps } from '../../tools/deps.ts'
import { openExport } from './archive/open-export.ts'
import { partKeys } from './archive/parts-reader.ts'
import { dropParts, findImport, type ImportRow, moveImport, noteDone } from './import-store.ts'
import { readElements, shelfOf } from './readers/read-export.ts'
import { scanExport } from './scan-export.ts'
import { undoImport } from './undo/undo-import.ts'
import { dropMissingAssistants } from './writing/project-store.ts'
import { Stopped, type Work } from './writing/work.ts'
import { writeItem } from './writing/write-item.ts'

/** Elements between two notes of the progress. They are repeated after a kill, which changes nothing. */
const NOTE_EVERY = 20

/** Returns the key by which the job of an import is found. */
export const jobKey = (id: string) => `import ${id}`

/** Does what the state of an import asks for. A repetition after a kill continues. */
export async function runImport(deps: Deps, id: string, signal: AbortSignal): Promise<void> {
  const row = await findImport(deps.db, id)
  if (!row) return
  try {
    if (row.state === 'reading')
      await withExport(deps, row, (opened) => scanExport(deps, row, opened, signal))
    if (row.state === 'importing') await writeAll(deps, row, signal)
    if (row.state === 'undoing') await undoImport(deps, row, signal)
  } catch (error) {
    // The process is stopping: the next one continues.
    if (signal.aborted) throw error
    if (error instanceof Stopped) return
    await noteFailure(deps, row, error)
  }
}

async function withExport<T>(
  { files }: Deps,
  row: ImportRow,
  use: (opened: Awaited<ReturnType<typeof openExport>>) => Promise<T>,
): Promise<T> {
  const opened = await openExport(files, row)
  try {
    return await collectSooner(() => use(opened))
  } finally {
    opened.close()
  }
}

async function writeAll(deps: Deps, row: ImportRow, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const { id, user_id, format: source } = row
  if (source === null) return
  const user = await callerOf(deps, user_id)
  await withExport(deps, row, async (opened) => {
    const work: Work = {
      deps,
      importId: id,
      origin: { user_id, source },
      opened,
      user,
      signal,
      shelf: shelfOf(opened),
    }
    let place = row.done
    for await (const { item } of readElements(opened, row.sources, row.done)) {
      signal.throwIfAborted()
      place += 1
      if (item && (item.kind !== 'assistant' || row.with_assistants)) await writeItem(work, item, place)
      if (place % NOTE_EVERY === 0)
        await noteDone(db, id, { state: 'importing', done: place, now: clock.now() })
    }
    await dropMissingAssistants(db, id)
    const end = { from: ['importing'] as ImportState[], to: 'done' as const, now: clock.now() }
    if (!(await moveImport(db, id, end, { done: place }))) throw new Stopped()
  })
  await removeFile(deps, id)
}

/** Removes the file of an import. A kill between both steps leaves stray files, which are swept. */
export async function removeFile({ db, files }: Pick<Deps, 'db' | 'files'>, id: string): Promise<void> {
  const dropped = await dropParts(db, id)
  if (dropped) for (const key of partKeys(dropped)) await files.remove(key)
}

/** The person as the caller of what the import creates. */
async function callerOf(deps: Deps, userId: string): Promise<Caller> {
  const user = await readUser(deps, userId)
  return { kind: 'user', ...user, tokenHash: Buffer.alloc(0), verified: true }
}

/** The next step after an unexpected error in each state. */
const advice: Partial<Record<ImportState, string>> = {
  reading: 'Upload the file again.',
  importing: 'Continue the import.',
  undoing: 'Undo the import again.',
}

async function noteFailure(deps: Deps, { id, state }: ImportRow, error: unknown): Promise<void> {
  const isOurs = error instanceof AppError
  if (!isOurs) deps.log.error({ error, import: id }, 'An import failed.')
  const detail = isOurs ? error.detail : `Something went wrong on the server. ${advice[state] ?? ''}`.trim()
  const move = { from: [state], to: 'failed' as const, now: deps.clock.now() }
  await moveImport(deps.db, id, move, { error: detail })
}
