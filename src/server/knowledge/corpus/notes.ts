import type { CorpusNote, NoteLine } from '#shared/knowledge/corpus/corpus-port.ts'
import { findCitations, replaceCitations } from '#shared/platform/citations/citation-tags.ts'
import { writeNotes } from '../../models/models/evidence.ts'

/** Maximum characters of notes joined in one call, of notes given to the final answer, and of one note. */
const JOINED = 12_000
const ANSWERED = 24_000
const NOTE_MOST = 9_000

const lengthOf = ({ lines }: CorpusNote) => lines.reduce((sum, { text }) => sum + text.length, 0)

/** Parses a model's answer into lines; `from` lists the passages it was given. Lines beyond the maximum length are dropped. */
export function readNote(said: string, from: readonly string[], read: number): CorpusNote {
  const lines: NoteLine[] = []
  let room = NOTE_MOST
  for (const line of said.split('\n')) {
    const text = line.replace(/^\s*(?:[-*•]|\d{1,3}[.)])\s+/, '').trim()
    room -= text.length
    if (room < 0) break
    if (!/[\p{L}\p{N}]/u.test(text)) continue
    const isCited = findCitations(text).length > 0 || from.length === 0
    lines.push(isCited ? { text } : { text, from: [...from] })
  }
  return { lines, read }
}

/** Returns groups of neighbouring notes to join next, at least two each where possible; null for one note, or when all fit one answer. */
export function groupNotes(notes: readonly CorpusNote[]): number[][] | null {
  const said = notes.map(lengthOf)
  if (said.reduce((sum, length) => sum + length, 0) <= ANSWERED || notes.length <= 1) return null
  const groups: { places: number[]; length: number }[] = []
  for (const [at, length] of said.entries()) {
    const last = groups.at(-1)
    const fits = last && (last.length + length <= JOINED || last.places.length < 2)
    if (fits) {
      last.places.push(at)
      last.length += length
    } else groups.push({ places: [at], length })
  }
  return groups.map(({ places }) => places)
}

/** Returns the ids of the passages that lines rely on. */
export const basisOf = (lines: readonly NoteLine[]): string[] => [
  ...new Set(
    lines.flatMap(({ text, from = [] }) => [...findCitations(text).map(({ chunk_id }) => chunk_id), ...from]),
  ),
]

/** Returns the lines whose passages are all readable. */
export const readableLines = (
  notes: readonly CorpusNote[],
  readable: ReadonlyMap<string, unknown>,
): NoteLine[] =>
  notes.flatMap(({ lines }) => lines).filter((line) => basisOf([line]).every((id) => readable.has(id)))

/** Formats lines for a prompt. `passages` maps prompt numbers to passage ids; the last number belongs to lines without a citation. */
export function tellNotes(lines: readonly NoteLine[]): { text: string; passages: (string | null)[] } {
  const ids = [...new Set(lines.flatMap(({ text }) => findCitations(text).map(({ chunk_id }) => chunk_id)))]
  const told = lines.map(({ text }) => {
    const [first] = findCitations(text)
    const number = first ? ids.indexOf(first.chunk_id) + 1 : ids.length + 1
    return { number, text: replaceCitations(text, (id) => `[${ids.indexOf(id) + 1}]`) }
  })
  return { text: writeNotes(told), passages: [...ids, null] }
}
