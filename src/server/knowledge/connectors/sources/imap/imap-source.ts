import type { Selection } from '#shared/knowledge/connectors/sources.ts'
import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { isSelected } from '../../selected.ts'
import { type ListedMails, listMails, type Place } from './list-mails.ts'
import { foldersIn, listMailFolders, type MailFolder } from './mail-folders.ts'
import { type MailSession, openSession, serverOf } from './mail-session.ts'
import { openMail } from './open-mail.ts'

/** Mails of a mailbox, each a file with its attachments. */
export default defineConnector({
  id: 'imap',
  place: 10,
  fields: [
    { name: 'host', type: 'text', required: true },
    { name: 'security', type: 'choice', required: true, options: ['tls', 'starttls'], value: 'tls' },
    { name: 'port', type: 'number', required: false },
    { name: 'username', type: 'text', required: true },
    { name: 'password', type: 'secret', required: true },
  ],
  mirrorsRights: false,
  personal: true,
  hasFolders: true,
  isOffered: () => true,
  follows: true,
  hostOf: (settings) => {
    const { host, port } = serverOf(settings)
    return host === '' ? null : `${host}:${port}`
  },
  open: async (context): Promise<OpenedSource> => {
    const session = openSession(context)
    return {
      check: async () => void (await listMailFolders(session)),
      folders: async (path) => foldersIn(await listMailFolders(session), path),
      list: (selection, cursor) => listPages(session, selection, cursor),
      read: ({ id }, signal) => openMail(session, id, signal),
      follow: async (selection, changed) => {
        const folders = (await listMailFolders(session)).filter((folder) => isChosen(selection, folder))
        // IDLE follows one folder. The others are read at the interval.
        const inbox = folders.find(({ mailbox }) => mailbox.toUpperCase() === 'INBOX') ?? folders[0]
        if (inbox) await session.idle(inbox.mailbox, changed)
      },
      close: session.close,
    }
  },
})

/**
 * Lists the chosen folders by name, each in pages by UID. The cursor has the folder, its UIDVALIDITY, and the last UID with its position.
 */
async function* listPages(
  session: MailSession,
  selection: Selection,
  cursor: string | null,
): ReturnType<OpenedSource['list']> {
  const all = (await listMailFolders(session)).filter((folder) => isChosen(selection, folder))
  const [mailbox, ...place] =
    cursor === null ? [''] : (JSON.parse(cursor) as [string, string, number, number])
  const folders = all.filter((folder) => folder.mailbox >= mailbox)
  for (const [at, folder] of folders.entries()) {
    const [uidValidity = '', uid = 0, position = 0] = folder.mailbox === mailbox ? place : []
    let last: Place | null = { uidValidity, uid, position }
    while (last) {
      const page: ListedMails = await listMails(session, folder, last)
      const items = page.items.filter(({ path }) => isSelected(selection, path))
      last = page.last
      const following = folders[at + 1]?.mailbox
      const next = last
        ? [folder.mailbox, last.uidValidity, last.uid, last.position]
        : following !== undefined && [following, '', 0, 0]
      yield { items, cursor: next ? JSON.stringify(next) : null }
    }
  }
}

/** Copies of mails, drafts, and what was thrown away are read only when their folder is chosen. */
const onlyWhenChosen = new Set(['\\All', '\\Flagged', '\\Important', '\\Drafts', '\\Junk', '\\Trash'])

function isChosen({ folders }: Selection, { path, special, isOpenable }: MailFolder): boolean {
  if (!isOpenable) return false
  const isBelow = (folder: string) => path === folder || path.startsWith(`${folder}/`)
  if (folders.length > 0 && !folders.includes('')) return folders.some(isBelow)
  return !onlyWhenChosen.has(special)
}
