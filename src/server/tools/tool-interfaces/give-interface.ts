import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '#shared/platform/errors.ts'
import type { ModuleUi, WantedInterface } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import { takeStorage } from '../../money/storage/storage.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import type { Deps } from '../deps.ts'
import { readUpload } from './check-module.ts'
import { hashModule, hashOf, type LoadModule } from './load-module.ts'
import { findFileKey, type KeptFile, writeInterface } from './store.ts'

type Given = { toolId: string; before: ModuleUi | null; wanted: WantedInterface }
type Made = { ui: ModuleUi; file: KeptFile | null }
/** Stores additional data in the same transaction. */
type Also = (trx: Deps['db'], ui: ModuleUi) => Promise<void>

/**
 * Gives a tool an interface and approves its current code. A replaced file loses its row and is swept. @throws AppError
 * `conflict` if the hash differs from the requested one, `invalid`, `too_large`, `quota_exceeded`
 */
export async function giveInterface(
  deps: Deps,
  load: LoadModule,
  userId: string,
  { toolId, before, wanted }: Given,
  also: Also,
): Promise<ModuleUi> {
  const { ui, file } = await (wanted.url === undefined
    ? keepFile(deps, { toolId, before, wanted })
    : approve(deps, load, toolId, { ...wanted, url: wanted.url }))
  const isNew = file !== null && wanted.file?.content != null
  try {
    await deps.db.transaction().execute(async (trx) => {
      if (isNew) await takeStorage({ ...deps, db: trx }, userId, file.size)
      await writeInterface(trx, toolId, { ui, file, now: deps.clock.now() })
      await also(trx, ui)
    })
  } catch (error) {
    // After any other error the interface may be stored nevertheless; stray files are swept later.
    if (isNew && error instanceof AppError) await deps.files.remove(file.key)
    throw error
  }
  return ui
}

async function approve(
  deps: Deps,
  load: LoadModule,
  toolId: string,
  { url, sri, connect, calls }: WantedInterface & { url: string },
): Promise<Made> {
  const ui = { kind: 'remote' as const, url, sri: sri ?? (await hashModule(deps, url)), connect, calls }
  const loaded = await load(toolId, ui)
  if (loaded.ok) return { ui, file: null }
  throw new AppError('conflict', `The code at this address has another hash: ${loaded.received}`)
}

async function keepFile(deps: Deps, { toolId, before, wanted }: Given): Promise<Made> {
  const { connect, calls, file } = wanted
  if (file?.content == null) {
    const key = await findFileKey(deps.db, toolId)
    if (before?.kind !== 'uploaded' || key === null)
      throw new AppError('invalid', 'This interface has no stored file. Upload one.')
    return { ui: { ...before, connect, calls }, file: { key, size: before.file.size } }
  }
  const bytes = await readUpload(file.content)
  const key = `interfaces/${randomUUID()}/module.js`
  const { size } = await deps.files.write(key, Readable.from([bytes]))
  const named = { name: cleanCharacters(file.name), size }
  return { ui: { kind: 'uploaded', file: named, sri: hashOf(bytes), connect, calls }, file: { key, size } }
}
