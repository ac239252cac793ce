import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ModelKind, ModelTrial } from '#shared/knowledge/installed-models/installed-models.ts'
import { SUGGESTED_MODELS } from '#shared/knowledge/installed-models/suggested-models.ts'
import { AppError } from '#shared/platform/errors.ts'
import { CHAT_FILE, installEngine, ModelError, tryChat, tryFolder } from '../../models/models/models.ts'
import { isDiskFull } from '../../platform/db/db.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { fetchChat } from './fetch-chat.ts'
import { fetchFiles } from './fetch-files.ts'
import { addressSource, assertModelAddress, folderSource, type ModelSource } from './model-source.ts'
import { findRow, type ModelRow, type Named, noteBytes, noteEnd } from './store.ts'
import { readSums } from './sums.ts'
import { findGguf } from './waiting.ts'

type Deps = Pick<Platform, 'db' | 'config' | 'outbound' | 'clock' | 'log'>

/** Interval at which progress is stored. */
const NOTE_MS = 500

const folders = { embedding: 'embeddings', reranker: 'rerankers', chat: 'chats' } as const
/** The file that requires a checksum. */
const fileOf = (kind: ModelKind) => (kind === 'chat' ? CHAT_FILE : 'model.onnx')

/** Returns the folder of the offered models of a kind. */
export const placeOf = ({ config }: Pick<Deps, 'config'>, kind: ModelKind) =>
  join(config.modelsDir, folders[kind])

/** Returns the parent of the folders that may be installed. */
export const waitingPlace = ({ config }: Pick<Deps, 'config'>) => join(config.modelsDir, 'waiting')

export const mostBytes = ({ config }: Pick<Deps, 'config'>, kind: ModelKind) =>
  MEGABYTE * (kind === 'chat' ? config.ATRIUM_LIMIT_CHAT_MODEL_MB : config.ATRIUM_LIMIT_MODEL_MB)

/** Returns the staging folder of an installation. Models are never offered from it. */
const gatheringPlace = ({ config }: Pick<Deps, 'config'>, { kind, name }: Named) =>
  join(config.modelsDir, 'arriving', kind, name)

/** Downloads, verifies and tests a model, then offers it. Stores the problem if a step fails. */
export async function install(deps: Deps, named: Named, signal: AbortSignal): Promise<void> {
  const row = await findRow(deps.db, named)
  if (row?.state !== 'installing') return
  const folder = gatheringPlace(deps, named)
  await emptyUnlessSame(folder, row)
  let isKept = false
  try {
    const trial = await bring(deps, row, folder, signal)
    await noteEnd(deps.db, named, 'ready', { problem: null, trial }, deps.clock.now())
  } catch (error) {
    // After an abort nothing is stored: a shutdown retries the job later, and a canceled installation has no row.
    isKept = named.kind === 'chat'
    signal.throwIfAborted()
    await noteEnd(deps.db, named, 'failed', { problem: sayWhy(deps, error), trial: null }, deps.clock.now())
  } finally {
    // A partial chat model stays, so that its download can be resumed.
    if (!isKept) await rm(folder, { recursive: true, force: true })
  }
}

/** Empties the staging folder, unless it has a partial chat model from the same source. */
async function emptyUnlessSame(folder: string, { kind, source }: ModelRow): Promise<void> {
  const note = join(folder, 'source.json')
  const wanted = JSON.stringify(source)
  const before = await readFile(note, 'utf8').catch(() => '')
  if (kind === 'chat' && before === wanted) return
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  if (kind === 'chat') await writeFile(note, wanted)
}

/** Removes the staging folder of an installation that did not succeed. */
export const removeArrived = (deps: Pick<Deps, 'config'>, named: Named): Promise<void> =>
  rm(gatheringPlace(deps, named), { recursive: true, force: true })

async function bring(deps: Deps, row: ModelRow, folder: string, signal: AbortSignal): Promise<ModelTrial> {
  const { kind, name, source } = row
  const maxBytes = mostBytes(deps, kind)
  await mkdir(folder, { recursive: true })
  let noted = 0
  const onBytes = async (bytes: number, of: number | null) => {
    if (bytes !== of && Date.now() - noted < NOTE_MS) return
    noted = Date.now()
    await noteBytes(deps.db, row, bytes, of)
  }
  const sums = await sumsOf(deps, kind, source)
  // The name may lead elsewhere since the request, or the request came before the restart.
  if ('address' in source) await assertModelAddress(deps.config, source.address)
  if (kind === 'chat') {
    await installEngine(deps.config.dataDir, signal)
    const { from, path } = await chatSource(deps, source)
    const sum = sums.get(CHAT_FILE) ?? ''
    if (!(await hasArrived(folder, sum)))
      await fetchChat(from, folder, { path, sum, maxBytes, signal, onBytes })
  } else {
    const from =
      'address' in source
        ? addressSource(deps, source.address)
        : folderSource(join(waitingPlace(deps), source.folder))
    const suggested = suggestedBy(source)
    await fetchFiles(from, folder, { kind, sums, maxBytes, signal, onBytes, suggested })
  }
  const trial = await tryModel(deps, kind, dirname(folder), name, signal)
  const place = join(placeOf(deps, kind), name)
  if (await isThere(place))
    throw new AppError('conflict', `There is already a model called ${name}. Choose another name.`)
  await mkdir(dirname(place), { recursive: true })
  await rm(join(folder, 'source.json'), { force: true })
  await rename(folder, place)
  return { ...trial, tried_at: deps.clock.now().toISOString() }
}

const suggestedBy = (source: ModelRow['source']) =>
  ('suggested' in source && SUGGESTED_MODELS.find(({ name }) => name === source.suggested)) || null

/** Returns whether an earlier attempt already downloaded the file with this checksum. */
const hasArrived = async (folder: string, sum: string) =>
  (await isThere(join(folder, CHAT_FILE))) &&
  (await readFile(join(folder, 'SHA256SUMS'), 'utf8').catch(() => '')).startsWith(sum)

/** Tests the model in `parent/name` on a small task. @throws Error with a sentence about the problem */
export function tryModel(
  { config }: Pick<Deps, 'config'>,
  kind: ModelKind,
  parent: string,
  name: string,
  signal: AbortSignal,
): Promise<Omit<ModelTrial, 'tried_at'>> {
  return kind === 'chat' ? tryChat(config, parent, name, signal) : tryFolder(kind, parent, name, signal)
}

/** Returns the source of a chat model: the address of a file, or the only GGUF file of a folder. */
async function chatSource(
  deps: Deps,
  source: ModelRow['source'],
): Promise<{ from: ModelSource; path: string }> {
  if ('folder' in source) {
    const folder = join(waitingPlace(deps), source.folder)
    return { from: folderSource(folder), path: (await findGguf(folder)) ?? CHAT_FILE }
  }
  const { pathname, search } = new URL(source.address)
  const from = addressSource(deps, new URL('.', source.address).href)
  return { from, path: `./${pathname.split('/').at(-1) ?? ''}${search}` }
}

export const isThere = (place: string) =>
  access(place).then(
    () => true,
    () => false,
  )

/** Returns the stated checksums and those in the folder. @throws AppError `invalid` if the model has none */
export async function sumsOf(
  deps: Pick<Deps, 'config'>,
  kind: ModelKind,
  source: ModelRow['source'],
): Promise<Map<string, string>> {
  const brought =
    'folder' in source
      ? await readFile(join(waitingPlace(deps), source.folder, 'SHA256SUMS'), 'utf8').catch(() => '')
      : ''
  const file = fileOf(kind)
  const sums = new Map([...readSums(brought, file), ...readSums(source.sums ?? '', file)])
  if (!sums.has(file))
    throw new AppError('invalid', `State the SHA-256 of ${file}, as its publisher gives it.`)
  return sums
}

/** Returns a sentence that says why a model cannot be installed. */
export function sayWhy({ log }: Pick<Deps, 'log'>, error: unknown): string {
  if (error instanceof AppError) return error.detail
  if (error instanceof ModelError) return error.message
  if (isDiskFull(error)) return 'The disk of the server is full. Make room and try again.'
  log.warn({ err: error }, 'a model could not be installed')
  return error instanceof Error ? error.message : 'It failed.'
}
