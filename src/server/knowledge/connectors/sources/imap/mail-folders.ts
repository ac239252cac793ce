import type { SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { giveTurns } from '../../give-turns.ts'
import type { MailSession } from './mail-session.ts'

/** Folders of a level that are shown, and of a mailbox that are read. */
const [MAX_SHOWN, MAX_READ] = [500, 10_000]
const MAX_PATH_CHARACTERS = 1000

/** A folder of a mailbox: its name at the server, and its path with `/`. `special` is a use such as `\Trash`, or empty. */
export type MailFolder = { mailbox: string; path: string; special: string; isOpenable: boolean }

/** Returns the folders of a mailbox, by their name at the server. */
export async function listMailFolders(session: MailSession): Promise<MailFolder[]> {
  const listed = await session.use(null, session.signal, (client) => client.list())
  const [folders, turn] = [[] as MailFolder[], giveTurns()]
  for (const { path: mailbox, delimiter, flags, specialUse = '' } of listed.slice(0, MAX_READ)) {
    await turn()
    if (mailbox.length > MAX_PATH_CHARACTERS) continue
    const parts = delimiter ? mailbox.split(delimiter) : [mailbox]
    const path = parts.map((part) => cleanLabel(part).replaceAll('/', '_')).join('/')
    const isOpenable = !flags.has('\\Noselect') && !flags.has('\\NonExistent')
    folders.push({
      mailbox,
      path,
      special: flags.has('\\Important') ? '\\Important' : specialUse,
      isOpenable,
    })
  }
  return folders.sort((a, b) => (a.mailbox < b.mailbox ? -1 : 1))
}

/** Returns the folders directly in a folder, by name. A folder between two may not exist at the server. */
export function foldersIn(
  folders: readonly MailFolder[],
  path: string,
): { items: SourceFolder[]; has_more: boolean } {
  const start = path === '' ? '' : `${path}/`
  const found = new Map<string, boolean>()
  for (const { path: own } of folders) {
    if (!own.startsWith(start) || own === path) continue
    const [name = '', ...below] = own.slice(start.length).split('/')
    if (name !== '') found.set(name, (found.get(name) ?? false) || below.length > 0)
  }
  const all = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  const items = all.map(([name, has_folders]) => ({ path: start + name, name, has_folders }))
  return { items: items.slice(0, MAX_SHOWN), has_more: items.length > MAX_SHOWN }
}
