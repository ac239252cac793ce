import { type Piece, readPattern } from './pattern.ts'

/** A text that grows: `head`, then as many repeats of `pump` as fit, then `tail`. */
export type HostileInput = { head: string; pump: string; tail: string }

const usual = [' ', '\n', '\t', '?', '-', '(', 'a', '0', '\r\t']
/** Matches almost nothing, which forces backtracking. */
const misfit = '\0'
const most = { heads: 5, words: 24, characters: 9, others: 2 }

type Found = Record<'heads' | 'words' | 'characters' | 'others', Set<string>>

/**
 * Returns texts that may make an expression slow: its own characters, pairs of them and partial matches, repeated after a
 * prefix and before a mismatch.
 */
export function hostileInputs(source: string, flags: string): HostileInput[] {
  const found: Found = { heads: new Set(), words: new Set(), characters: new Set(), others: new Set() }
  walk(readPattern(source, flags), '', found)
  const first = (key: 'heads' | 'characters' | 'others') => [...found[key]].slice(0, most[key])
  const characters = first('characters')
  const words = [...found.words].sort((one, other) => other.length - one.length).slice(0, most.words)
  const pumps = [...new Set([...characters, ...words, ...usual])].filter(Boolean)
  const pairs = characters.flatMap((one) => characters.map((other) => one + other))
  const tails = [misfit, '', '\n', ...first('others')]
  const inputs = pumps.flatMap((pump) => [
    ...tails.map((tail) => ({ head: '', pump, tail })),
    ...first('heads').map((head) => ({ head, pump, tail: misfit })),
    { head: misfit, pump, tail: misfit + pump },
  ])
  return [...inputs, ...pairs.map((pump) => ({ head: '', pump, tail: misfit }))]
}

/** Returns the text with at least `length` characters; a long word must be repeated often as well. */
export function textOf({ head, pump, tail }: HostileInput, length: number): string {
  return head + pump.repeat(Math.ceil(length / Math.min(pump.length, 8))) + tail
}

/** Collects words that a pattern may match, each with the text that leads up to it. */
function walk(alternatives: Piece[][], before: string, found: Found): string[] {
  return alternatives.flatMap((sequence) => {
    let lead = before
    const words = sequence.map((piece) => {
      const options = piece.kind === 'group' ? walk(piece.alternatives, lead, found) : piece.samples
      if (piece.kind === 'characters') {
        for (const sample of piece.samples) found.characters.add(sample)
        for (const other of piece.others) found.others.add(other)
      }
      if (piece.kind === 'characters' || !piece.isAhead) lead += options[0] ?? ''
      found.heads.add(lead)
      return options
    })
    const firsts = words.map(([word = '']) => word)
    for (let from = 0; from < firsts.length; from += 1)
      for (let to = from + 1; to <= firsts.length; to += 1) found.words.add(firsts.slice(from, to).join(''))
    return words.length === 1 ? words[0]! : [firsts.join('')]
  })
}
