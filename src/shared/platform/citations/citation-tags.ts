/** Returns the marker of a cited passage in a stored answer. Passages are numbered in order of first citation. */
export const citationTag = (chunkId: string, number: number) =>
  `<citation chunk="${chunkId}">[${number}]</citation>`

/** Returns the marker of a cited web page, with its address and title (ledger G-44). */
export const websourceTag = (url: string, title: string, number: number) =>
  `<websource url="${url}" title="${title
    .replace(/["<>|`$\s]+/g, ' ')
    .trim()
    .slice(0, TITLE_MOST)}">[${number}]</websource>`
const TITLE_MOST = 200

/** A marker in a stored answer; `id` is the chunk id of the passage or the address of the page. */
export type Marked = { id: string; title: string | null; number: number; at: number; length: number }
/** The marker of a passage. */
export type StoredCitation = { chunk_id: string; number: number; at: number; length: number }

const STORED =
  /<citation chunk="([0-9a-f-]{36})">\[(\d{1,3})\]<\/citation>|<websource url="(https?:\/\/[^"<>\s]{1,2000})" title="([^"<>\n]{0,300})">\[(\d{1,3})\]<\/websource>/g
const WITH_SPACE =
  / ?(?:<citation chunk="[0-9a-f-]{36}">\[\d{1,3}\]<\/citation>|<websource url="https?:\/\/[^"<>\s]{1,2000}" title="[^"<>\n]{0,300}">\[\d{1,3}\]<\/websource>)/g

/** Returns all markers of a stored answer, in order. */
export function findMarkers(answer: string): Marked[] {
  return Array.from(answer.matchAll(STORED), (found) => {
    const [whole, chunk, passage, url = '', title = null, page] = found
    const at = { at: found.index, length: whole.length }
    return chunk === undefined
      ? { id: url, title, number: Number(page), ...at }
      : { id: chunk, title: null, number: Number(passage), ...at }
  })
}

/** Returns the markers of passages. */
export function findCitations(answer: string): StoredCitation[] {
  return findMarkers(answer).flatMap(({ id, title, ...place }) =>
    title === null ? [{ chunk_id: id, ...place }] : [],
  )
}

/** Returns a stored answer without its markers. */
export const withoutCitations = (answer: string) => answer.replace(WITH_SPACE, '')

/** Returns a stored answer as plain text, with each marker as its number in brackets. */
export const plainCitations = (answer: string) =>
  answer.replace(
    STORED,
    (_, __, passage: string | undefined, ___, ____, page: string | undefined) => `[${passage ?? page}]`,
  )

/** Parses a text that consists of exactly one marker. */
export function readTag(text: string): Pick<Marked, 'id' | 'title' | 'number'> | null {
  const [found] = findMarkers(text)
  return found && found.length === text.length ? found : null
}

const SAMPLES = [1, 11, 111].map((number) => citationTag('0'.repeat(36), number))
const WEBSOURCE = '<websource url="'
const BEGUN_WEBSOURCE = /^<websource url="[^<>\n]{0,2400}(?:>(?:\[\d{0,3}\]?)?(?:<[a-z/]{0,11})?)?$/

/** Returns true when a text is the beginning of a marker. */
export const beginsTag = (text: string) =>
  SAMPLES.some(
    (sample) => text.length < sample.length && readTag(text + sample.slice(text.length)) !== null,
  ) ||
  WEBSOURCE.startsWith(text) ||
  BEGUN_WEBSOURCE.test(text)

/** Returns a stored answer with each passage marker replaced. */
export const replaceCitations = (answer: string, by: (chunkId: string) => string) =>
  answer.replace(STORED, (whole: string, chunk: string | undefined) =>
    chunk === undefined ? whole : by(chunk),
  )

/** Fragments of cut markers: the end at the start of a piece, the beginning at its end. */
const CUT_BEGIN =
  /^(?:[^<>]{0,2400}>)?(?:\d{0,3}\])?(?:\[\d{1,3}\])?(?:<?\/)?(?:citation|itation|tation|ation|tion|ion|on|n|websource|ebsource|bsource|source|ource|urce|rce|ce|e)>/
const CUT_END = / ?<(?:\/?[cw][^<>]{0,2400})?(?:>(?:\[\d{0,3}\]?)?(?:<[^<>]{0,12})?)?$/

/** Returns an excerpt of a stored answer without markers and without cut markers at its ends. */
export const withoutCutCitations = (piece: string) =>
  withoutCitations(piece).replace(CUT_BEGIN, '').replace(CUT_END, '')
