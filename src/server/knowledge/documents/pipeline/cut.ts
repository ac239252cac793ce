import { createHash } from 'node:crypto'
import type { Element } from '#shared/knowledge/documents/documents.ts'
import type { PageBox, Place } from '#shared/platform/place.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import { cutTable } from './cut-table.ts'
import { joinRanges } from './ranges.ts'

/** A passage for search: consecutive elements below one title, small enough for an embedding model. */
export type NewChunk = {
  id: string
  element_id: string
  type: string
  text: string
  heading_path: string[]
  place: Place
  page_number: number | null
}

/** Characters at which a chunk is full: about 200 tokens. */
const FULL = 900
/** Longer elements are split; tables have a higher limit. */
const LONGEST = 1400
const LONGEST_TABLE = 1800
/** Maximum characters of a title in a heading path. */
const TITLE_MAX = 200

/** Creates a cutter. It takes the elements of a document in order and in portions, and skips page headers and footers. */
export function createCutter(readingId: string) {
  const path: { level: number; title: string }[] = []
  let open: Piece[] = []
  let position = 0
  const close = (): NewChunk[] => {
    const pieces = open
    open = []
    if (pieces.length === 0) return []
    return [toChunk(readingId, position++, pieces, headingsOf(path))]
  }
  const take = (element: Element): NewChunk[] => {
    if (element.type === 'Header' || element.type === 'Footer' || !hasWords(element.text)) return []
    if (element.type === 'Title') {
      const closed = holdsOnlyTitles(open) ? [] : close()
      const level = element.metadata.element_metadata.level ?? 1
      while ((path.at(-1)?.level ?? 0) >= level) path.pop()
      path.push({ level, title: element.text.slice(0, TITLE_MAX) })
      open.push(pieceOf(element))
      return closed
    }
    const closed: NewChunk[] = []
    for (const piece of split(element)) {
      const size = open.reduce((sum, { text }) => sum + text.length, 0)
      const isOther = open.length > 0 && open.at(-1)?.place.sheet !== piece.place.sheet
      const isFull = size > 0 && !holdsOnlyTitles(open) && size + piece.text.length > FULL
      if (isOther || isFull) closed.push(...close())
      open.push(piece)
    }
    return closed
  }
  return { take: (elements: Element[]) => elements.flatMap(take), end: close }
}

type Piece = { element_id: string; type: string; text: string; place: Place }

const holdsOnlyTitles = (pieces: Piece[]) => pieces.length > 0 && pieces.every(({ type }) => type === 'Title')

function pieceOf({ element_id, type, text, metadata }: Element): Piece {
  const { all_bboxes, page_number, start, end, element_metadata } = metadata
  const { sheet, range, span } = element_metadata
  const place: Place = {
    ...(page_number !== null && { page: page_number }),
    ...(all_bboxes.length > 0 && { boxes: all_bboxes }),
    ...(sheet !== undefined && { sheet }),
    ...(range !== undefined && { range }),
    ...(start !== null && { start }),
    ...(end !== null && { end }),
    ...(span[1] > span[0] && { span: [span[0], span[1]] }),
  }
  return { element_id, type, text: cleanCharacters(text.trim()), place }
}

/** Splits a long element between rows or sentences. Each piece of a table has the place of its rows. */
function split(element: Element): Piece[] {
  const piece = pieceOf(element)
  const { text } = piece
  if (element.type === 'Table') {
    if (text.length <= LONGEST_TABLE) return [piece]
    const rowPages = element.metadata.element_metadata.extra?.row_pages
    return cutTable(
      { ...piece, rowPages: rowPages === undefined ? undefined : String(rowPages) },
      LONGEST_TABLE,
    ).map((part) => ({ ...piece, ...part }))
  }
  if (text.length <= LONGEST) return [piece]
  return fill(sentencesOf(text), FULL, ' ').map((part) => ({ ...piece, text: part }))
}

/** Maximum characters per sentence segmentation. */
const PORTION = 20_000

function sentencesOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })
  return hardCut(text, PORTION)
    .flatMap((portion) => [...segmenter.segment(portion)].map(({ segment }) => segment.trim()))
    .filter((one) => one !== '')
}

/** Tells whether a text contains anything searchable. */
const hasWords = (text: string) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)

/** Joins parts to texts of at most `most` characters; longer parts are cut. */
function fill(parts: string[], most: number, between: string): string[] {
  const texts: string[] = []
  let text = ''
  for (const part of parts.flatMap((one) => hardCut(one, most))) {
    if (text !== '' && text.length + part.length + 1 > most) {
      texts.push(text)
      text = ''
    }
    text = text === '' ? part : text + between + part
  }
  return text === '' ? texts : [...texts, text]
}

function hardCut(text: string, most: number): string[] {
  const pieces = []
  for (let from = 0; from < text.length; from += most) pieces.push(text.slice(from, from + most))
  return pieces
}

function toChunk(readingId: string, position: number, pieces: Piece[], heading_path: string[]): NewChunk {
  const text = cleanCharacters(pieces.map((piece) => piece.text).join('\n'))
  const main = pieces.find(({ type }) => type !== 'Title') ?? pieces[0]!
  const place = joinPlaces(pieces.map((piece) => piece.place))
  return {
    id: chunkIdOf(readingId, position, text),
    ...{ element_id: main.element_id, type: main.type, text, heading_path, place },
    page_number: place.page ?? null,
  }
}

function joinPlaces(places: Place[]): Place {
  const starts = places.flatMap(({ start }) => start ?? [])
  const ends = places.flatMap(({ end }) => end ?? [])
  const spans = places.flatMap(({ span }) => (span ? [span] : []))
  const boxes = uniqueBoxes(places.flatMap((place) => place.boxes ?? []))
  const page = places.find((place) => place.page !== undefined)?.page
  const sheet = places.find((place) => place.sheet !== undefined)?.sheet
  const range = joinRanges(places.flatMap((place) => place.range ?? []))
  return {
    ...(page !== undefined && { page }),
    ...(boxes.length > 0 && { boxes }),
    ...(sheet !== undefined && { sheet }),
    ...(range !== null && { range }),
    ...(starts.length > 0 && { start: Math.min(...starts) }),
    ...(ends.length > 0 && { end: Math.max(...ends) }),
    ...(spans.length > 0 && {
      span: [Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, to]) => to))] as [
        number,
        number,
      ],
    }),
  }
}

function uniqueBoxes(boxes: PageBox[]): PageBox[] {
  return [...new Map(boxes.map((box) => [JSON.stringify(box), box])).values()]
}

const headingsOf = (path: { title: string }[]) => path.map(({ title }) => cleanCharacters(title))

/** Returns the id of a chunk. Cutting the same reading again gives the same ids, so citations stay valid. */
export const chunkIdOf = (readingId: string, position: number, text: string) =>
  idOf(`${readingId}:${position}:${text}`)

/** Derives a UUID (version 8) from a hash. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
