import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChatExportWish } from '#shared/chat/exports/exports.ts'
import { PRODUCT_NAME } from '#shared/identity/branding/product-name.ts'
import { AppError } from '#shared/platform/errors.ts'
import { localeOf } from '#shared/platform/locale.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { brandOf } from '../../../identity/branding/branding.ts'
import { previewPassages } from '../../../knowledge/rag/rag.ts'
import type { Principal } from '../../../platform/access/access.ts'
import type { Platform } from '../../../platform/platform.ts'
import {
  loadMessages,
  loadSizes,
  loadTree,
  pathTo,
  type Tree,
  type TreeNode,
} from '../../messages/messages.ts'
import { beginningOf } from './beginning.ts'
import type { Chapter, ChatDocument, Entry } from './chat-document.ts'
import { createNotes, type Notes } from './notes.ts'
import { addPictures } from './pictures.ts'
import { cleanText, readEntry } from './read-entry.ts'
import { fill, wordsOf } from './words.ts'

type Deps = Pick<Platform, 'db' | 'files' | 'clock' | 'publicUrl'>
type Named = { id: string; title: string; active_leaf: string | null }

/** The messages of one chapter, oldest first. */
export type Stretch = { number: number; after: TreeNode | null; nodes: TreeNode[] }

/** Maximum text size of a chat for paged formats. The other formats have no limit. */
const PAGES_BYTES = 20_000_000
const PAGE_MESSAGES = 100
const MAX_QUOTE_LENGTH = 400

/** Plans the chapters: the active branch, and with `all` the remaining parts of the other branches, one chapter each. */
export async function planChapters(
  { db }: Pick<Deps, 'db'>,
  session: Pick<Named, 'id' | 'active_leaf'>,
  what: ChatExportWish['what'],
): Promise<{ stretches: Stretch[]; bytes: number }> {
  const tree = await loadTree(db, session.id)
  const stretches = stretchesOf(tree, session.active_leaf, what)
  const sizes = await loadSizes(
    db,
    stretches.flatMap(({ nodes }) => nodes),
  )
  return { stretches, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

function stretchesOf(tree: Tree, activeLeaf: string | null, what: ChatExportWish['what']): Stretch[] {
  const active = tree.nodes.get(activeLeaf ?? '')
  if (!active) return []
  const leaves = [...tree.nodes.values()].filter(({ children }) => children.length === 0)
  const others = what === 'all' ? leaves.filter((leaf) => leaf !== active) : []
  const told = new Set<TreeNode>()
  return [active, ...others].map((leaf, at) => {
    const nodes = pathTo(leaf).filter((node) => !told.has(node))
    for (const node of nodes) told.add(node)
    return { number: at + 1, after: nodes[0]?.parent ?? null, nodes }
  })
}

type Reading = {
  session: Named
  stretches: Stretch[]
  principal: Principal
  person: string
  wish: ChatExportWish
  onDone?: (share: number) => Promise<void>
  signal?: AbortSignal
}

/** Reads a chat as an export document. @throws AppError `too_large` */
export async function readChat(deps: Deps, reading: Reading): Promise<ChatDocument> {
  const { session, stretches, principal, person, wish } = reading
  const words = wordsOf(wish.language)
  const notes = createNotes({ withNotes: wish.footnotes, words, publicUrl: deps.publicUrl() })
  const show = timesIn(wish)
  const product = 'id' in principal ? ((await brandOf(deps, principal.id))?.name ?? null) : null
  const entry = { words, notes, person: cleanText(person), product, steps: wish.steps, showTime: show.moment }
  const total = stretches.reduce((sum, { nodes }) => sum + nodes.length, 0)
  const chapters: Chapter[] = []
  let done = 0
  for (const { number, after, nodes } of stretches) {
    const entries: Entry[] = []
    for await (const message of readMessages(deps, nodes)) {
      reading.signal?.throwIfAborted()
      entries.push(readEntry(message, entry))
      done += 1
      // Parsing blocks this process, so it yields regularly.
      if (done % 10 === 0) await nextTurn()
      if (done % PAGE_MESSAGES === 0) await reading.onDone?.(done / total)
    }
    chapters.push({
      title: stretches.length > 1 ? chapterTitle(number, after, chapters, stretches) : null,
      entries,
    })
  }
  const document: ChatDocument = {
    ...{ title: cleanText(session.title) || words.untitled, chapters, images: {}, language: wish.language },
    byline: fill(words.byline, { person: cleanText(person), date: show.day(deps.clock.now().toISOString()) }),
    ...{ author: cleanText(person), product: cleanText(product ?? PRODUCT_NAME), notes: [], words },
  }
  if (wish.quotes) await addQuotes(deps, principal, notes)
  document.notes = notes.list()
  await addPictures(deps, principal, document)
  return document

  function chapterTitle(number: number, after: TreeNode | null, before: Chapter[], all: Stretch[]): string {
    const place = all.findIndex(({ nodes }) => after !== null && nodes.includes(after))
    const parted = before[place]?.entries[all[place]?.nodes.indexOf(after as TreeNode) ?? -1]
    const beginning = parted ? beginningOf(parted) : ''
    return beginning === ''
      ? fill(words.branch, { number })
      : fill(words.branch_from, { number, after: beginning })
  }
}

/** @throws AppError `too_large` */
export function assertFits({ format }: ChatExportWish, bytes: number): void {
  const hasPages = format === 'docx' || format === 'pdf'
  if (hasPages && bytes > PAGES_BYTES)
    throw new AppError('too_large', 'This chat is too long for pages. Take it out as Markdown or JSON.')
}

/** Yields messages in order without loading all of them into memory. */
export async function* readMessages(
  { db }: Pick<Deps, 'db'>,
  nodes: readonly TreeNode[],
): AsyncGenerator<Message> {
  for (let at = 0; at < nodes.length; at += PAGE_MESSAGES) {
    const ids = nodes.slice(at, at + PAGE_MESSAGES).map(({ id }) => id)
    yield* await loadMessages(db, ids)
  }
}

/** Adds the words of passages that the user may read now to their notes. */
async function addQuotes(deps: Deps, principal: Principal, notes: Notes): Promise<void> {
  const passages = notes.passages()
  const ids = [...passages.keys()]
  for (let at = 0; at < ids.length; at += PAGE_MESSAGES) {
    for (const { chunk_id, text_preview } of await previewPassages(
      deps,
      principal,
      ids.slice(at, at + PAGE_MESSAGES),
    )) {
      const note = passages.get(chunk_id)
      const quote = cleanText(text_preview).replace(/\s+/g, ' ').trim()
      if (note)
        note.quote =
          quote.length > MAX_QUOTE_LENGTH ? `${quote.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…` : quote
    }
  }
}

function timesIn({ language, time_zone }: ChatExportWish) {
  const locale = localeOf(language)
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: time_zone })
  const moment = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: time_zone,
  })
  return {
    day: (iso: string) => day.format(new Date(iso)),
    moment: (iso: string) => moment.format(new Date(iso)),
  }
}
