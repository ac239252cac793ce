import { createReadStream } from 'node:fs'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import type { CodeFile, CodePort } from '#shared/tools/tools/code-port.ts'
import { assertInScope } from '../../knowledge/rag/rag.ts'
import type { Person } from '../../platform/access/access.ts'
import { noteDocuments } from '../../platform/access/classes/classes.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import type { Platform } from '../../platform/platform.ts'
import type { InputFile } from '../../platform/sandbox/sandbox.ts'
import { type RunContext, readPerson } from '../../runs/runs/runs.ts'
import { keepMedia, listMedia } from '../media/media.ts'
import { listLinked, listMadeInChat, listNamed, readFolder, writeFolder } from './store.ts'

type Deps = Pick<Platform, 'db' | 'config' | 'files' | 'sandbox' | 'audiences'>
type Run = Pick<RunContext, 'id' | 'input'>

/** Maximum documents of a chat copied into the folder without being named. */
const MAX_LINKED_FILES = 50
/** Maximum files made by other tools in a chat, newest first, that are copied there. */
const MAX_MADE_FILES = 20

/** Runs programs for a run, in the working folder of its chat. */
export function createCodePort(deps: Deps, run: Run, signal: AbortSignal): CodePort {
  const { db, sandbox } = deps
  const { user_id: userId, standalone } = run.input
  const sessionId = standalone ? standalone.session_id : run.input.session_id
  return {
    readiness: sandbox.probe,
    open: async (documentIds) => {
      const person = await readPerson(deps, run.input)
      const kept = sessionId ? await readFolder(db, sessionId) : []
      await assertInScope(deps, person, run.input, documentIds)
      const ids =
        documentIds.length > 0 || !sessionId ? documentIds : await listLinked(db, sessionId, MAX_LINKED_FILES)
      const documents = await listNamed(db, person, ids)
      const uploaded = nameApart(documents, kept, 'document')
      const before = [...kept, ...uploaded.filter(({ name }) => !kept.some((file) => file.name === name))]
      const made = sessionId ? await listMadeInChat(db, userId, sessionId, MAX_MADE_FILES) : []
      const fresh = made.filter(({ id }) => !before.some(({ from }) => from.id === id))
      const folder = withinRoom([...before, ...nameApart(fresh, before, 'media')], before.length, deps.config)
      assertFits(folder, deps.config.ATRIUM_LIMIT_CODE_FILES_MB)
      return { folder, uploaded }
    },
    run: async ({ language, code }, folder, say) => {
      const files = await restore(deps, await readPerson(deps, run.input), folder)
      return sandbox.run(
        { language, code, files },
        {
          signal,
          say: (_, text) => say(text),
          use: async ({ status, stdout, stderr, left, ms, files: made, gone }) => {
            const opened = made.map(({ path, ...file }) => ({ ...file, open: () => createReadStream(path) }))
            const kept = await keepMedia(deps, { userId, runId: run.id }, opened)
            const fresh: CodeFile[] = kept.map(({ id, asset_filename: name, size }) => ({
              ...{ name, size },
              from: { kind: 'media', id },
            }))
            const replaced = new Set([...gone, ...fresh.map(({ name }) => name)])
            const after = [...folder.filter(({ name }) => !replaced.has(name)), ...fresh]
            return { status, stdout, stderr, made: kept, folder: after, left, ms }
          },
        },
      )
    },
    keep: async (folder) => {
      if (sessionId) await writeFolder(db, sessionId, folder)
    },
  }
}

/** Lists documents or generated files as files of a folder. Duplicate names get numbers, and a document already there keeps its name. */
function nameApart(
  files: { id: string; name: string; size: number }[],
  kept: CodeFile[],
  kind: CodeFile['from']['kind'],
): CodeFile[] {
  const taken = new Map(kept.map(({ name, from }) => [name, from.id]))
  return files.map(({ id, name, size }) => {
    const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(plain(name)) ?? []
    let own = stem + extension
    for (let number = 2; taken.has(own) && taken.get(own) !== id; number += 1)
      own = `${stem} (${number})${extension}`
    taken.set(own, id)
    return { name: own, size, from: { kind, id } }
  })
}

/** Returns a name that is valid for a file in a box. */
function plain(name: string): string {
  return cleanLabel(name.replaceAll(/[\p{Cc}/\\]/gu, '_')).slice(-110) || 'file'
}

/** Returns the first `kept` files, and as many of the others as fit, since no one chose those. */
function withinRoom(folder: CodeFile[], kept: number, { ATRIUM_LIMIT_CODE_FILES_MB }: Deps['config']) {
  let bytes = 0
  return folder.filter(({ size }, at) => {
    bytes += size
    return at < kept || bytes <= roomOf(ATRIUM_LIMIT_CODE_FILES_MB)
  })
}

/** Bytes that files may use of a box's disk when a program starts. */
const roomOf = (megabytes: number) => (megabytes * MEGABYTE * 3) / 4

/** Programs need space in addition to their files. @throws AppError `too_large` */
function assertFits(folder: CodeFile[], megabytes: number): void {
  const bytes = folder.reduce((sum, { size }) => sum + size, 0)
  if (bytes <= roomOf(megabytes)) return
  throw new AppError(
    'too_large',
    `The files for this program have ${Math.ceil(bytes / MEGABYTE)} MB. At most ${Math.floor((megabytes * 3) / 4)} MB fit into its folder.`,
  )
}

/**
 * Returns a folder's files with their content. All must be available before anything runs. @throws AppError `unavailable`
 * naming the missing file
 */
async function restore({ db, files }: Deps, person: Person, folder: CodeFile[]): Promise<InputFile[]> {
  const idsOf = (wanted: CodeFile['from']['kind']) =>
    folder.flatMap(({ from }) => (from.kind === wanted ? [from.id] : []))
  const [media, documents] = await Promise.all([
    listMedia(db, person.id, idsOf('media')),
    listNamed(db, person, idsOf('document')),
  ])
  await noteDocuments(
    db,
    documents.map(({ id }) => id),
  )
  const keys = new Map([...media, ...documents].map(({ id, file_key }) => [id, file_key]))
  return Promise.all(
    folder.map(async ({ name, size, from }) => {
      const key = keys.get(from.id)
      if (key === undefined || (await files.size(key)) !== size)
        throw new AppError(
          'unavailable',
          `The file “${name}” of this chat's working folder cannot be restored. Nothing was run.`,
        )
      return { name, size, open: () => files.read(key) }
    }),
  )
}
