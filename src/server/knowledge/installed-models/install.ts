import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ModelKind, ModelTrial } from '#shared/knowledge/installed-models/installed-models.ts'
import { SUGGESTED_MODELS } from '#shared/knowledge/installed-models/suggested-models.ts'
import { AppError } from '#shared/platform/errors.ts'
import { ModelError, tryFolder } from '../../models/models/models.ts'
import { isDiskFull } from '../../platform/db/db.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { fetchFiles } from './fetch-files.ts'
import { addressSource, folderSource } from './model-source.ts'
import { findRow, type ModelRow, type Named, noteBytes, noteEnd } from './store.ts'
import { readSums } from './sums.ts'

type Deps = Pick<Platform, 'db' | 'config' | 'outbound' | 'clock' | 'log'>

/** How far it is, is noted so often. */
const NOTE_MS = 500

const folders = { embedding: 'embeddings', reranker: 'rerankers' } as const

/** Where the models of a kind are offered from. */
export const placeOf = ({ config }: Pick<Deps, 'config'>, kind: ModelKind) =>
  join(config.modelsDir, folders[kind])

/** Where folders lie that may be installed. */
export const waitingPlace = ({ config }: Pick<Deps, 'config'>) => join(config.modelsDir, 'waiting')

export const mostBytes = ({ config }: Pick<Deps, 'config'>) => config.ATRIUM_LIMIT_MODEL_MB * MEGABYTE

/** Where the files of one gather until it is known to work; nothing is offered from there. */
const gatheringPlace = ({ config }: Pick<Deps, 'config'>, { kind, name }: Named) =>
  join(config.modelsDir, 'arriving', kind, name)

/** Brings a model's files, checks and tries them, and has the model offered; or notes why not. */
export async function install(deps: Deps, named: Named, signal: AbortSignal): Promise<void> {
  const row = await findRow(deps.db, named)
  if (row?.state !== 'installing') return
  const folder = gatheringPlace(deps, named)
  await rm(folder, { recursive: true, force: true })
  try {
    const trial = await bring(deps, row, folder, signal)
    await noteEnd(deps.db, named, 'ready', { problem: null, trial }, deps.clock.now())
  } catch (error) {
    // The process ends, or nobody wants it any more: it begins anew, or not at all.
    signal.throwIfAborted()
    await noteEnd(deps.db, named, 'failed', { problem: sayWhy(deps, error), trial: null }, deps.clock.now())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function bring(deps: Deps, row: ModelRow, folder: string, signal: AbortSignal): Promise<ModelTrial> {
  const { kind, name, source } = row
  const maxBytes = mostBytes(deps)
  const from =
    'address' in source
      ? addressSource(deps, source.address)
      : folderSource(join(waitingPlace(deps), source.folder))
  await mkdir(folder, { recursive: true })
  let noted = 0
  const onBytes = async (bytes: number, of: number | null) => {
    if (Date.now() - noted < NOTE_MS) return
    noted = Date.now()
    await noteBytes(deps.db, row, bytes, of)
  }
  const sums = await sumsOf(deps, source)
  const suggested = suggestedBy(source)
  await fetchFiles(from, folder, { kind, sums, maxBytes, signal, onBytes, suggested })
  const trial = await tryFolder(kind, dirname(folder), name, signal)
  const place = join(placeOf(deps, kind), name)
  if (await isThere(place))
    throw new AppError('conflict', `There is a model called ${name} by now. Choose another name.`)
  await mkdir(dirname(place), { recursive: true })
  await rename(folder, place)
  return { ...trial, tried_at: deps.clock.now().toISOString() }
}

const suggestedBy = (source: ModelRow['source']) =>
  ('suggested' in source && SUGGESTED_MODELS.find(({ name }) => name === source.suggested)) || null

export const isThere = (place: string) =>
  access(place).then(
    () => true,
    () => false,
  )

/** What was stated; else what a folder brings along. @throws AppError `invalid` where the model's sum is in neither */
export async function sumsOf(
  deps: Pick<Deps, 'config'>,
  source: ModelRow['source'],
): Promise<Map<string, string>> {
  const brought =
    'folder' in source
      ? await readFile(join(waitingPlace(deps), source.folder, 'SHA256SUMS'), 'utf8').catch(() => '')
      : ''
  const sums = new Map([...readSums(brought), ...readSums(source.sums ?? '')])
  if (!sums.has('model.onnx'))
    throw new AppError('invalid', 'State the SHA-256 of model.onnx, as its publisher gives it.')
  return sums
}

/** Why a model cannot be had, in a sentence. */
export function sayWhy({ log }: Pick<Deps, 'log'>, error: unknown): string {
  if (error instanceof AppError) return error.detail
  if (error instanceof ModelError) return error.message
  if (isDiskFull(error)) return 'The disk of the server is full. Make room and try again.'
  log.warn({ err: error }, 'a model could not be installed')
  return error instanceof Error ? error.message : 'It failed.'
}
