import type { DocumentPart, Element as WireElement } from '#shared/knowledge/documents/parts.ts'
import type { Reading } from '../elements/order.ts'
import type { Element, PageBox } from '../elements/port.ts'

type Placed = Reading['elements'][number]
/** `language` is that of most of the text, if known. */
type File = { name: string; type: string; language: string | null }

/** Maximum elements per part of a document without pages. */
const ELEMENTS_PER_PART = 200

/** Returns the pages of a reading, or groups of elements if it has no pages. An element on two pages belongs to the first. */
export function partsOf(reading: Pick<Reading, 'elements' | 'pages'>, file: File) {
  const wire = toWire(reading.elements, file)
  return reading.pages.length > 0 ? byPage(reading, wire) : byCount(wire)
}

function byPage(
  { elements, pages }: Pick<Reading, 'elements' | 'pages'>,
  wire: WireElement[],
): DocumentPart[] {
  const parts = new Map<number, DocumentPart>()
  for (const { number, width, height, rotation = 0, words = [] } of pages)
    parts.set(number, { number, page: { width, height, rotation }, elements: [], words })
  let last = pages[0]?.number ?? 1
  elements.forEach((element, at) => {
    last = pageOf(element) ?? last
    const part = parts.get(last) ?? { number: last, page: null, elements: [], words: [] }
    parts.set(last, part)
    part.elements.push(wire[at]!)
  })
  return [...parts.values()].sort((one, other) => one.number - other.number)
}

function byCount(wire: WireElement[]): DocumentPart[] {
  const count = Math.ceil(wire.length / ELEMENTS_PER_PART)
  return Array.from({ length: count }, (_, at) => ({
    ...{ number: at + 1, page: null, words: [] },
    elements: wire.slice(at * ELEMENTS_PER_PART, (at + 1) * ELEMENTS_PER_PART),
  }))
}

function toWire(elements: Placed[], file: File): WireElement[] {
  const titles: { level: number; id: string }[] = []
  const segments = elements.filter(({ type }) => type === 'transcript_segment').length
  return elements.map((element, at) => {
    const element_id = `e${at + 1}`
    const isTitle = element.type === 'Title'
    const level = element.level ?? 1
    if (isTitle) while ((titles.at(-1)?.level ?? 0) >= level) titles.pop()
    const parent_id = titles.at(-1)?.id ?? null
    if (isTitle) titles.push({ level, id: element_id })
    return {
      element_id,
      type: element.type,
      text: element.text,
      metadata: metadataOf(element, parent_id, segments, file),
    }
  })
}

function metadataOf(
  { type, place = {}, level, extra, span }: Placed,
  parent_id: string | null,
  segments: number,
  file: File,
): WireElement['metadata'] {
  const { boxes = [], start = null, end = null, words = [], sheet, range } = place
  const [first] = boxes
  const spoken =
    type === 'transcript_segment' && start !== null && end !== null
      ? { duration: end - start, word_count: words.length, segment_count: segments }
      : null
  const language = extra?.language ?? (spoken && file.language)
  return {
    page_number: first?.page ?? place.page ?? null,
    bbox: first?.box ?? null,
    coordinates: first ? { points: cornersOf(first) } : null,
    all_bboxes: boxes,
    parent_id,
    timeline_position: start,
    ...{ start, end, words, filename: file.name, filetype: file.type },
    ...spoken,
    ...(typeof language === 'string' && { language }),
    element_metadata: {
      ...(level !== undefined && { level }),
      ...(sheet !== undefined && { sheet }),
      ...(range !== undefined && { range }),
      span: [...span],
      ...(extra && { extra }),
    },
  }
}

function cornersOf({ box: [left, top, right, bottom] }: PageBox): [number, number][] {
  return [
    [left, top],
    [left, bottom],
    [right, bottom],
    [right, top],
  ]
}

function pageOf({ place }: Element): number | undefined {
  return place?.boxes?.[0]?.page ?? place?.page
}
