import { SHARED_PAGE, type SharedMessage, type SharedSource } from '#shared/chat/shares/shares.ts'
import { findMarkers } from '#shared/platform/citations/citation-tags.ts'
import { describePlace } from '#shared/platform/citations/place-words.ts'
import { API_BASE } from '#shared/platform/http.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import { previewPassages } from '../../knowledge/rag/rag.ts'
import type { Person, Principal } from '../../platform/access/access.ts'
import type { Platform } from '../../platform/platform.ts'
import { fill, quietParts, wordsOf } from '../exports/exports.ts'
import { loadMessages, loadTree, pathTo } from '../messages/messages.ts'
import type { FileRow, OpenLink } from './store.ts'

type Deps = Pick<Platform, 'db' | 'config'>
export type Shared = {
  link: OpenLink
  principal: Principal
  files: FileRow[]
  token: string
  language: Language
  /** Name of the product for the person who made the link; null: its own. */
  product: string | null
}

const MAX_QUOTE_LENGTH = 400
const asset = /assets\/tools\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//
/** The target of a Markdown link or image. */
const target = /\]\(([^()\s]{0,400})\)/g

/** Returns the ids of the messages a link shows: up to the last one at its creation. */
export async function listShown(
  { db }: Pick<Deps, 'db'>,
  { session_id, leaf_id }: OpenLink,
): Promise<string[]> {
  const leaf = (await loadTree(db, session_id)).nodes.get(leaf_id)
  return leaf ? pathTo(leaf).map(({ id }) => id) : []
}

/** Returns a page of the messages a link shows. */
export async function readShownPage(
  deps: Deps,
  shared: Shared,
  skip: number,
): Promise<{ messages: SharedMessage[]; has_more: boolean }> {
  const ids = await listShown(deps, shared.link)
  const messages = await loadMessages(deps.db, ids.slice(skip, skip + SHARED_PAGE))
  const quotes = await readQuotes(deps, shared.link.user_id, messages)
  return {
    messages: messages.map((message) => showMessage(message, shared, quotes)),
    has_more: skip + SHARED_PAGE < ids.length,
  }
}

/** Returns the words of cited passages, while the link's owner may read them. */
async function readQuotes(deps: Deps, userId: string, messages: Message[]): Promise<Map<string, string>> {
  const ids = messages.flatMap(({ content }) =>
    findMarkers(content).flatMap((one) => (one.title === null ? one.id : [])),
  )
  if (ids.length === 0) return new Map()
  const owner: Person = { kind: 'user', ...(await readUser(deps, userId)) }
  const passages = await previewPassages(deps, owner, [...new Set(ids)].slice(0, 1_000))
  return new Map(passages.map(({ chunk_id, text_preview }) => [chunk_id, shorten(text_preview)]))
}

function shorten(words: string): string {
  const plain = words.replace(/\s+/g, ' ').trim()
  return plain.length > MAX_QUOTE_LENGTH ? `${plain.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…` : plain
}

function showMessage(message: Message, shared: Shared, quotes: Map<string, string>): SharedMessage {
  const { link, language, token, product } = shared
  const { role, created_at, content, blocks } = message
  if (role === 'user')
    return {
      author: link.shared_by,
      is_person: true,
      created_at,
      parts: [{ kind: 'text', text: content }],
      sources: [],
    }
  const { author, parts } = quietParts(message, { language, steps: !link.hides_steps, product })
  const addressOf = (url: string) => {
    const id = asset.exec(url)?.[1]
    return id === undefined ? url : `${API_BASE}/shared/${token}/pictures/${id}`
  }
  const shown = parts.map((part): SharedMessage['parts'][number] => {
    if (part.kind === 'picture') return { ...part, url: addressOf(part.url) }
    if (part.kind !== 'text') return part
    return { kind: 'text', text: part.text.replace(target, (_, url: string) => `](${addressOf(url)})`) }
  })
  const cited = new Set(findMarkers(content).map(({ id }) => id))
  const sources = blocks
    .flatMap((block) => (block.type === 'text' ? (block.sources ?? []) : []))
    .filter(({ id }) => cited.has(id))
    .map((source): SharedSource => {
      const { id, number, title, url, passage } = source
      const place = passage ? describePlace(passage, 'long') : null
      const { places } = wordsOf(language)
      const file = shared.files.find(({ document_id }) => document_id === passage?.document_id)
      return {
        ...{ id, number, title: passage?.document_name ?? title ?? url ?? '' },
        place: place ? fill(places[place.key], place.values) : '',
        url: passage ? null : url,
        ...{ quote: quotes.get(id) ?? null, file: file?.place ?? null },
      }
    })
  return { author, is_person: false, created_at, parts: shown, sources: bySource(sources) }
}

/** Removes duplicates and sorts by number. */
function bySource(sources: SharedSource[]): SharedSource[] {
  return [...new Map(sources.map((source) => [source.id, source])).values()].sort(
    (a, b) => a.number - b.number,
  )
}

/** Removes pictures that tools made for another user. */
export const withoutPictures = (text: string) =>
  text.replace(image, (whole, alt: string, url: string) => (asset.test(url) ? alt : whole))
const image = /!\[([^\][]{0,300})\]\(([^()\s]{0,400})\)/g
