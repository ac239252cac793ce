import { findMarkers, withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import { describePlace } from '#shared/platform/citations/place-words.ts'
import type { Block, Inline } from '#shared/platform/markdown/tree.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { Source } from '#shared/runs/runs/sources.ts'
import type { Note } from './chat-document.ts'
import { fill, type Words } from './words.ts'

/** The sources cited in a chat, numbered by first appearance. */
export type Notes = {
  /** Numbers the citation markers of a text, or removes them when footnotes are off. */
  number(blocks: Block[]): Block[]
  /** Does the same in the original text. */
  mark(text: string): string
  /** Registers a message's sources. Call it before numbering its texts. */
  know(message: Message): void
  list(): Note[]
  /** Returns the notes that cite document passages, by passage id. */
  passages(): Map<string, Note>
}

type Options = { withNotes: boolean; words: Words; publicUrl: string }

/** Prefix of note labels in Markdown, because an answer may have its own footnotes. */
export const NOTE_LABEL = 'source-'

export function createNotes({ withNotes, words, publicUrl }: Options): Notes {
  const known = new Map<string, Omit<Note, 'number'>>()
  const notes = new Map<string, Note>()
  const noteOf = (id: string): Note => {
    const found = notes.get(id)
    if (found) return found
    const isPage = /^https?:/.test(id)
    const unknown = { title: isPage ? id : words.sources, place: '', url: isPage ? id : '', quote: null }
    const note = { ...(known.get(id) ?? unknown), number: notes.size + 1 }
    notes.set(id, note)
    return note
  }
  const inline = (node: Inline): Inline[] => {
    if (node.type === 'citation') return withNotes ? [{ ...node, number: noteOf(node.id).number }] : []
    return 'children' in node ? [{ ...node, children: node.children.flatMap(inline) }] : [node]
  }
  return {
    number: (blocks) => blocks.map((block) => mapInlines(block, inline)),
    mark: (text) =>
      withNotes
        ? replaceMarkers(text, (id) => `[^${NOTE_LABEL}${noteOf(id).number}]`)
        : withoutCitations(text),
    know: (message) => {
      for (const block of message.blocks) {
        if (block.type !== 'text') continue
        for (const source of block.sources ?? []) known.set(source.id, describe(source, words, publicUrl))
      }
      for (const { id, title } of findMarkers(message.content))
        if (title !== null && !known.has(id))
          known.set(id, { title: title || id, place: '', url: id, quote: null })
    },
    list: () => [...notes.values()],
    passages: () => new Map([...notes].filter(([id]) => !/^https?:/.test(id))),
  }
}

function describe(
  { id, title, url, passage }: Source,
  words: Words,
  publicUrl: string,
): Omit<Note, 'number'> {
  if (!passage) return { title: title || url || id, place: '', url: url ?? '', quote: null }
  const place = describePlace(passage)
  const path = `/documents/${passage.document_id}?chunk=${encodeURIComponent(id)}`
  return {
    ...{ title: passage.document_name, url: publicUrl + path, quote: null },
    place: place ? fill(words.places[place.key], place.values) : '',
  }
}

function replaceMarkers(text: string, by: (id: string) => string): string {
  let [done, last] = ['', 0]
  for (const { id, at, length } of findMarkers(text)) {
    done += text.slice(last, at).trimEnd() + by(id)
    last = at + length
  }
  return done + text.slice(last)
}

/** Returns a copy of a block with its inline content replaced. */
export function mapInlines(block: Block, inline: (node: Inline) => Inline[]): Block {
  const inlines = (nodes: Inline[]) => nodes.flatMap(inline)
  const blocks = (children: Block[]) => children.map((child) => mapInlines(child, inline))
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return { ...block, children: inlines(block.children) }
    case 'list':
      return { ...block, items: block.items.map((item) => ({ ...item, children: blocks(item.children) })) }
    case 'quote':
      return { ...block, children: blocks(block.children) }
    case 'table':
      return { ...block, head: block.head.map(inlines), rows: block.rows.map((row) => row.map(inlines)) }
    case 'footnotes':
      return { ...block, items: block.items.map((item) => ({ ...item, children: blocks(item.children) })) }
    default:
      return block
  }
}
