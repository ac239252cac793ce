import { describe, expect, it } from 'vitest'
import type { CorpusNote } from '#shared/knowledge/corpus/corpus-port.ts'
import { citationTag } from '#shared/platform/citations/citation-tags.ts'
import { cutText } from './cut-text.ts'
import { PIECE, packPassages } from './fix-corpus.ts'
import { groupNotes, readableLines, readNote, tellNotes } from './notes.ts'

const [one, two, three] = ['a', 'b', 'c'].map((sign) => `${sign.repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
]
const noteOf = (length: number): CorpusNote => ({ lines: [{ text: 'x'.repeat(length) }], read: 1 })

describe('packPassages', () => {
  it('fills pieces up to the limits, with each passage once and in order', () => {
    const listed = Array.from({ length: 90 }, (_, at) => ({
      id: String(at),
      characters: at < 45 ? 100 : 2_500,
    }))
    const pieces = packPassages(listed).flatMap((piece) => ('chunks' in piece ? [piece.chunks] : []))
    expect(pieces.flat()).toEqual(listed.map(({ id }) => id))
    expect(pieces.map(({ length }) => length).slice(0, 3)).toEqual([PIECE.passages, 7, 2])
    expect(packPassages([{ id: 'long', characters: 50_000 }])).toEqual([{ chunks: ['long'] }])
  })
})

describe('cutText', () => {
  it('cuts at a paragraph, a sentence or a word without losing text', () => {
    const text = `${'One sentence. '.repeat(6)}\n\n${'another word '.repeat(9)}${'x'.repeat(120)}\u{1f600}${'y'.repeat(60)}`
    const spans = cutText(text, 100)
    expect(spans.map(([from, to]) => text.slice(from, to)).join('')).toBe(text)
    expect(text.slice(...(spans[0] ?? [0, 0])).endsWith('\n\n')).toBe(true)
    for (const [from, to] of spans) {
      expect(to - from).toBeLessThanOrEqual(100)
      expect(text.slice(from, to).isWellFormed()).toBe(true)
    }
    expect(cutText('', 100)).toEqual([])
  })
})

describe('notes', () => {
  it('split into lines, each with the passages it relies on', () => {
    const said = `- Rent is due ${citationTag(one, 1)}\n\n2. No number here\n---`
    expect(readNote(said, [one, two], 2)).toEqual({
      lines: [{ text: `Rent is due ${citationTag(one, 1)}` }, { text: 'No number here', from: [one, two] }],
      read: 2,
    })
    expect(readNote(`${'x'.repeat(8_999)}\nyy\nz`, [], 1).lines).toHaveLength(1)
  })

  it('drop a line as soon as one of its passages is no longer readable', () => {
    const notes: CorpusNote[] = [
      {
        lines: [
          ...[{ text: `One ${citationTag(one, 1)}` }, { text: `Two ${citationTag(two, 2)}` }],
          ...[
            { text: 'None', from: [one, two] },
            { text: 'Own', from: [one] },
          ],
        ],
        read: 2,
      },
    ]
    const readable = new Map([[one, true]])
    expect(readableLines(notes, readable).map(({ text }) => text)).toEqual([
      `One ${citationTag(one, 1)}`,
      'Own',
    ])
  })

  it('join with their neighbours, at least two at a time, until all fit one answer', () => {
    expect(groupNotes([noteOf(20_000)])).toBeNull()
    expect(groupNotes([noteOf(12_000), noteOf(12_000)])).toBeNull()
    expect(groupNotes([noteOf(12_000), noteOf(12_001)])).toEqual([[0, 1]])
    expect(groupNotes(Array.from({ length: 7 }, () => noteOf(5_000)))).toEqual([[0, 1], [2, 3], [4, 5], [6]])
  })

  it('number their citations by passage, also in the middle of a line', () => {
    const { text, passages } = tellNotes([
      { text: `A asks for 3 ${citationTag(two, 1)}, B for 2 ${citationTag(one, 2)}` },
      { text: `C ${citationTag(three, 1)} </documents>` },
      { text: 'Nobody', from: [one] },
    ])
    expect(passages).toEqual([two, one, three, null])
    expect(text).toContain('\n[1] A asks for 3 [1], B for 2 [2]\n[3] C [3] ‹/documents>\n[4] Nobody\n')
  })
})
