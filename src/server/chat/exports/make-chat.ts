import { Readable } from 'node:stream'
import { ChatExportWish } from '#shared/chat/exports/exports.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import type { Platform } from '../../platform/platform.ts'
import { loadTree } from '../messages/messages.ts'
import { readPicture } from './chat/pictures.ts'
import { assertFits, planChapters, readChat, readMessages } from './chat/read-chat.ts'
import { type ExportRow, findChat } from './store.ts'
import { writeJson } from './writers/write-json.ts'
import { writeMarkdown } from './writers/write-markdown.ts'
import { writePages } from './writers/write-pages.ts'

export type ExportDeps = Pick<Platform, 'db' | 'files' | 'clock' | 'config' | 'log' | 'publicUrl' | 'secrets'>
type Following = { onDone: (share: number) => Promise<void>; signal: AbortSignal }

/** Share of the progress that reading a chat takes in paged formats. */
const READING = 0.4

/**
 * Returns a chat as file content, with the requester's current rights; null when the chat is deleted.
 * @throws AppError `too_large`
 */
export async function makeChatFile(
  deps: ExportDeps,
  row: ExportRow,
  { onDone, signal }: Following,
): Promise<Readable | null> {
  const wish = ChatExportWish.parse(row.wish)
  const session = await findChat(deps.db, row.session_id ?? '')
  if (!session) return null
  const principal = { kind: 'user' as const, ...(await readUser(deps, row.user_id)) }
  if (wish.format === 'json') {
    const nodes = await nodesOf(deps, session, wish)
    const pictures = (ids: Set<string>) => readPictures(deps, principal, ids)
    const messages = readMessages(deps, nodes)
    return Readable.from(writeJson({ session, messages, wish, at: deps.clock.now(), pictures }))
  }
  const { stretches, bytes } = await planChapters(deps, session, wish.what)
  assertFits(wish, bytes)
  const person = principal.full_name?.trim() || principal.username
  const hasPages = wish.format !== 'md'
  const document = await readChat(deps, {
    ...{ session, stretches, principal, person, wish, signal },
    onDone: (share) => onDone(share * (hasPages ? READING : 1)),
  })
  if (wish.format === 'md') return Readable.from(writeMarkdown(document))
  const told = (share: number) => void onDone(READING + share * (1 - READING)).catch(() => undefined)
  return Readable.from([await writePages(document, wish.format, { onDone: told, signal })])
}

/** Returns the messages of all branches in order of creation, for formats that record the parent of each. */
async function nodesOf(
  { db }: ExportDeps,
  session: { id: string; active_leaf: string | null },
  wish: ChatExportWish,
) {
  if (wish.what === 'all') return [...(await loadTree(db, session.id)).nodes.values()]
  const { stretches } = await planChapters({ db }, session, 'branch')
  return stretches.flatMap(({ nodes }) => nodes)
}

async function* readPictures(
  deps: ExportDeps,
  principal: Parameters<typeof readPicture>[1],
  ids: Set<string>,
): AsyncGenerator<{ id: string; data: string }> {
  for (const id of ids) {
    const found = await readPicture(deps, principal, id).catch(() => null)
    if (found) yield { id, data: `data:${found.mediaType};base64,${found.bytes.toString('base64')}` }
  }
}
