import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Selection } from '#shared/knowledge/connectors/sources.ts'
import { type ChangedPage, CursorExpired, ItemRefused } from '../../define-connector.ts'
import { isSelected } from '../../selected.ts'
import { DriveFile, fieldsOf, isFolder, isShortcut, itemOf, membersOf, nameOf } from './drive-files.ts'
import { createPaths } from './drive-paths.ts'
import type { Drive } from './drive-requests.ts'

const PAGE = 100

/** The logs of changes, those of My Drive and of each shared drive, and the one that is read now. */
const Token = z.object({
  /** Folders that were created later are known by their changes only. */
  since: z.string(),
  /** Beginning of this reading of all logs; null before it. */
  began: z.string().nullable(),
  at: z.int(),
  /** Changes with the shared drives, and with their members when rights are mirrored. Google logs neither. */
  drives: z.string(),
  logs: z.array(z.object({ drive: z.string().nullable(), token: z.string() })),
})
type Token = z.infer<typeof Token>

const Start = z.object({ startPageToken: z.string() })
const Changes = z.object({
  changes: z
    .array(
      z.object({
        changeType: z.string().default('file'),
        removed: z.boolean().default(false),
        fileId: z.string().optional(),
        file: DriveFile.optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
  newStartPageToken: z.string().optional(),
})
type Change = z.infer<typeof Changes>['changes'][number]

/** Returns the token of all changes from now on. */
export async function startOfChanges(drive: Drive): Promise<string> {
  const since = new Date().toISOString()
  const logs: Token['logs'] = []
  for (const id of [null, ...(await drive.sharedDrives()).map((one) => one.id)]) {
    const parameters = { supportsAllDrives: 'true', ...(id && { driveId: id }) }
    const { startPageToken: token } = await drive.ask('/changes/startPageToken', parameters, Start)
    logs.push({ drive: id, token })
  }
  return JSON.stringify({ since, began: null, at: 0, drives: await markOf(drive), logs } satisfies Token)
}

/**
 * Reads a page of one log. Google reports a folder that was renamed, moved or shared, but not the files in it, so such a folder makes
 * everything be listed again. So does a shared drive that came, went or has other members.
 */
export async function readChanges(drive: Drive, selection: Selection, given: string): Promise<ChangedPage> {
  const { data: token } = Token.safeParse(JSON.parse(given))
  // Written by another version.
  if (!token) throw new CursorExpired()
  const began = token.began ?? new Date().toISOString()
  if (token.began === null && token.drives !== (await markOf(drive))) throw new CursorExpired()
  const log = token.logs[token.at]
  if (!log) throw new CursorExpired()
  const page = await askForChanges(drive, log)
  const found = await sortChanges(drive, selection, page.changes, token)
  const next = page.nextPageToken ?? page.newStartPageToken
  if (next === undefined) throw new CursorExpired()
  const logs = token.logs.map((one, at) => (at === token.at ? { ...one, token: next } : one))
  const at = page.nextPageToken ? token.at : token.at + 1
  const isDone = at === logs.length
  const after: Token = isDone
    ? { ...token, since: began, began: null, at: 0, logs }
    : { ...token, began, at, logs }
  return { ...found, token: JSON.stringify(after), hasMore: !isDone }
}

async function markOf(drive: Drive): Promise<string> {
  const all: unknown[] = []
  for (const { id, name } of await drive.sharedDrives())
    all.push([id, name, drive.context.mirrors ? await membersOf(drive, id) : []])
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url')
}

async function askForChanges(drive: Drive, { drive: id, token }: Token['logs'][number]) {
  const file = `file(${fieldsOf(drive)})`
  const parameters = {
    ...{ pageToken: token, pageSize: String(PAGE), includeRemoved: 'true', supportsAllDrives: 'true' },
    ...(id && { driveId: id, includeItemsFromAllDrives: 'true' }),
    fields: `nextPageToken,newStartPageToken,changes(changeType,removed,fileId,${file})`,
  }
  try {
    return await drive.ask('/changes', parameters, Changes)
  } catch (error) {
    // A token that is too old is refused with 400, 404 or 410.
    if (error instanceof ItemRefused) throw new CursorExpired(error.message)
    throw error
  }
}

async function sortChanges(
  drive: Drive,
  selection: Selection,
  changes: readonly Change[],
  token: Token,
): Promise<Pick<ChangedPage, 'items' | 'removed'>> {
  const found: Pick<ChangedPage, 'items' | 'removed'> = { items: [], removed: [] }
  const pathOf = createPaths(drive)
  for (const change of changes) {
    if (change.changeType !== 'file') throw new CursorExpired()
    const id = change.fileId ?? change.file?.id
    if (!id) continue
    const file = change.removed ? await findMoved(drive, id, token) : change.file
    if (file && isFolder(file)) {
      if (!file.trashed && (file.createdTime ?? '') >= token.since) continue
      throw new CursorExpired()
    }
    const folder = file && !file.trashed && !isShortcut(file) ? await pathOf(file) : null
    if (file && folder !== null && isSelected(selection, `${folder}/${nameOf(file)}`))
      found.items.push(await itemOf(drive, file, folder))
    else found.removed.push(id)
  }
  return found
}

/** Looks for a file that left one drive: it may be in another one, whose log was read before. */
async function findMoved(drive: Drive, id: string, { logs }: Token): Promise<DriveFile | null> {
  if (logs.length === 1) return null
  try {
    const parameters = { supportsAllDrives: 'true', fields: fieldsOf(drive) }
    return await drive.ask(`/files/${encodeURIComponent(id)}`, parameters, DriveFile)
  } catch (error) {
    if (error instanceof ItemRefused) return null
    throw error
  }
}
