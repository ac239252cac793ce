import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { AccountExportWish, type Export } from '#shared/chat/exports/exports.ts'
import { readUser } from '../../../identity/accounts/accounts.ts'
import { readMaskedChats } from '../../../models/masking/masking.ts'
import { loadTree } from '../../messages/messages.ts'
import { planChapters, readChat, readMessages } from '../chat/read-chat.ts'
import { wordsOf } from '../chat/words.ts'
import type { ExportDeps } from '../make-chat.ts'
import type { ExportRow } from '../store.ts'
import { writeJson } from '../writers/write-json.ts'
import {
  type ArchivedFile,
  countAll,
  listChats,
  listDocumentFiles,
  listNames,
  listOtherFiles,
  readFacts,
  readForks,
  readList,
  readProfile,
  readSchedules,
} from './archive-store.ts'
import { addWhole } from './whole-message.ts'
import { readJournals } from './whole-message-store.ts'
import { type Indexed, UNREAD, writeIndex } from './write-index.ts'

type Following = { onStage: (stage: NonNullable<Export['stage']>) => Promise<void>; signal: AbortSignal }
type Work = ExportDeps &
  Following & { zip: ZipFile; row: ExportRow; wish: AccountExportWish; indexed: Indexed }

/** Maximum chats and files listed in the index. The archive contains all of them. */
const MAX_INDEXED = 20_000

/**
 * Streams all of a user's data as one archive: chats with all branches, original files, everything else as JSON, and an index
 * that opens in a browser.
 */
export function makeArchive(deps: ExportDeps, row: ExportRow, following: Following): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  const wish = AccountExportWish.parse(row.wish)
  fill({
    ...deps,
    ...following,
    zip,
    row,
    wish,
    indexed: { chats: [], documents: [], files: [], lists: [], unread: [] },
  }).then(
    () => zip.end(),
    (error) => out.destroy(error),
  )
  return out
}

async function fill(work: Work): Promise<void> {
  const { db, row, wish, zip, indexed } = work
  const counts = await countAll(db, row.user_id)
  await addChats(work, counts.chats)
  if (wish.documents) {
    await addFiles(work, 'documents', counts.documents, listDocumentFiles)
    await addFiles(work, 'files', counts.files, listOtherFiles)
  }
  const profile = await readProfile(db, row.user_id)
  zip.addBuffer(Buffer.from(`${profile}\n`), 'data/profile.json')
  for (const name of listNames) {
    const rows = inOrder[name]?.(db, row.user_id) ?? readList(db, row.user_id, name)
    await add(work, `data/${name}.json`, Readable.from(asArray(rows)))
    indexed.lists.push(name)
  }
  for (const [name, read] of [['forks', readForks] as const, ['journals', readJournals] as const]) {
    await add(work, `data/${name}.json`, Readable.from(asArray(read(db, row.user_id))))
    indexed.lists.push(name)
  }
  await add(work, 'data/replaced-details.json', Readable.from(asArray(readMaskedChats(work, row.user_id))))
  indexed.lists.push('replaced-details')
  if (indexed.unread.length > 0)
    zip.addBuffer(Buffer.from(`${JSON.stringify(indexed.unread, null, 2)}\n`), `data/${UNREAD}.json`)
  const person = await readUser(work, row.user_id)
  zip.addBuffer(Buffer.from(writeIndex(indexed, person, wish, work.clock.now())), 'index.html')
}

/** Lists whose rows refer to each other. */
const inOrder: Partial<Record<(typeof listNames)[number], typeof readFacts>> = {
  facts: readFacts,
  schedules: readSchedules,
}

async function addChats(work: Work, total: number): Promise<void> {
  const { db, row, wish, indexed } = work
  const principal = { kind: 'user' as const, ...(await readUser(work, row.user_id)) }
  const person = principal.full_name?.trim() || principal.username
  const chatWish = {
    ...wish,
    format: 'md' as const,
    what: 'all' as const,
    footnotes: true,
    quotes: true,
    steps: true,
  }
  let [after, done]: [string | null, number] = [null, 0]
  for (;;) {
    const chats = await listChats(db, row.user_id, after)
    for (const session of chats) {
      work.signal.throwIfAborted()
      const nodes = [...(await loadTree(db, session.id)).nodes.values()]
      const head = { id: session.id, title: session.title, active_leaf: session.active_leaf }
      const pictures = async function* () {}
      const json = {
        session: { ...session, ...head },
        isWhole: true,
        messages: addWhole(db, row.user_id, readMessages(work, nodes)),
        wish: chatWish,
        at: work.clock.now(),
        pictures,
      }
      await add(work, `chats/${session.id}.json`, Readable.from(writeJson(json)))
      const { stretches, bytes } = await planChapters(work, head, 'all')
      // A larger page would exhaust the browser's memory; the JSON next to it is complete.
      const hasPage = bytes <= PAGE_BYTES && nodes.length > 0
      if (hasPage) {
        // Loads KaTeX, which nothing else in this process needs.
        const { writeHtml } = await import('../writers/write-html.ts')
        const document = await readChat(work, { session: head, stretches, principal, person, wish: chatWish })
        await add(work, `chats/${session.id}.html`, Readable.from(writeHtml(document)))
      }
      const file = `chats/${session.id}.${hasPage ? 'html' : 'json'}`
      const title = session.title || wordsOf(wish.language).untitled
      if (indexed.chats.length < MAX_INDEXED) indexed.chats.push({ title, file, at: session.created_at })
      await work.onStage({ what: 'chats', done: ++done, of: Math.max(total, done) })
    }
    after = chats.at(-1)?.id ?? null
    if (after === null) return
  }
}
const PAGE_BYTES = 20_000_000

/** Adds files one after another, so that a slow store buffers at most one of them. */
async function addFiles(
  work: Work,
  what: 'documents' | 'files',
  total: number,
  list: (db: Work['db'], userId: string, after: string | null) => Promise<ArchivedFile[]>,
): Promise<void> {
  let [after, done]: [string | null, number] = [null, 0]
  for (;;) {
    const files = await list(work.db, work.row.user_id, after)
    for (const { id, name, size, file_key, version, versions } of files) {
      work.signal.throwIfAborted()
      const folder = version === undefined || version === versions ? id : `${id}/version-${version}`
      const file = `${what}/${folder}/${safeName(name)}`
      const content = await work.files.read(file_key).catch((error) => {
        work.log.warn({ err: error, file_key }, 'a file is left out of a personal archive')
        return null
      })
      if (content) await add(work, file, content, false)
      else work.indexed.unread.push({ id, name, file })
      const isNewest = version === versions
      if (content && isNewest && work.indexed[what].length < MAX_INDEXED)
        work.indexed[what].push({ title: name, file, size })
      if (isNewest) await work.onStage({ what, done: ++done, of: Math.max(total, done) })
    }
    after = files.at(-1)?.id ?? null
    if (after === null) return
  }
}

/** Resolves when the archive has read the whole file, so that only one is open at a time. */
function add({ zip, signal }: Work, path: string, content: Readable, compress = true): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    content.once('error', reject)
    content.once('close', () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    zip.addReadStream(content, path, { compress })
  })
}

async function* asArray(rows: AsyncIterable<string>): AsyncGenerator<string> {
  yield '['
  let isFirst = true
  for await (const row of rows) {
    yield `${isFirst ? '' : ','}\n${row}`
    isFirst = false
  }
  yield '\n]\n'
}

/** Returns a file name that every system can unpack inside the intended folder. */
export function safeName(name: string): string {
  let plain = name
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
    .replace(/[\x00-\x1f<>:"/\\|?*]/g, '_')
    .slice(0, 150)
    .toWellFormed()
  while (plain.startsWith('.')) plain = plain.slice(1)
  while (plain.endsWith('.') || plain.endsWith(' ')) plain = plain.slice(0, -1)
  return plain || 'file'
}
