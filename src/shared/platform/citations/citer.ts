import { citationTag } from './citation-tags.ts'
import { createCodeSpans } from './code-spans.ts'
import { isBareNumber, readBare } from './marker-bare.ts'
import { readMarker } from './markers/marker.ts'

export type Citer = {
  /** Takes a delta from the model and returns the text to show, with markers only of known passages. */
  push(delta: string): string
  /** Returns the text held back as the possible start of a marker. */
  end(): string
  /** Returns the numbers of cited passages by id. */
  cited(): ReadonlyMap<string, number>
}

type Options = {
  /** Ids of earlier citations, in the order of their numbers. */
  before?: readonly string[]
  /** Formats the marker of a source; by default that of a passage. */
  tag?: (id: string, number: number) => string
}

/** Stops of a scan: markers, code, and the space before a removed marker. */
const STOP = /[[［【〔⟦「<(（{&\\\uE200†‡⁰¹²³⁴-⁹①-⑳`~]| (?=[[［【〔⟦「<(（{&\\\uE200†‡⁰¹²³⁴-⁹①-⑳]|$)/
const START = /^[[［【〔⟦「<(（{&\\\uE200†‡⁰¹²³⁴-⁹①-⑳]/
const START_OR_SPACE = /^[ [［【〔⟦「<(（{&\\\uE200†‡⁰¹²³⁴-⁹①-⑳]/
/** Characters ahead of a marker that tell a footnote from a power. */
const BEFORE_LENGTH = 24
/** Characters of a line that tell a bare number from a marker. */
const LINE_LENGTH = 400

/**
 * Creates a parser for markers in a streamed answer, independent of how it is split. `passages` are the ids given to the model,
 * in the order of their numbers, from 1; null for one that may no longer be cited. Markers of unknown passages are dropped;
 * code stays unchanged.
 */
export function createCiter(
  passages: readonly (string | null)[],
  { before = [], tag = citationTag }: Options = {},
): Citer {
  const numbers = new Map(before.map((id, at) => [id, at + 1]))
  const known = new Set(passages)
  const code = createCodeSpans()
  let held = ''
  let shownBefore = ''
  /** The line so far without markers; bare numbers that it counts by are text. */
  let line = { text: '', isCounting: false }
  /** How the answer names its sources, by its first marker. */
  let style: 'bracketed' | 'bare' | null = null
  const isPassage = (number: number) => Boolean(passages[number - 1])
  /** The marker at the beginning of what is held, behind `space` characters. */
  const readHeld = (space: number, isEnd: boolean) => {
    const text = held.slice(space)
    if (!START.test(text)) return null
    const marker = readMarker(text, isEnd, space ? ' ' : shownBefore)
    if (marker.kind !== 'none' || style === 'bracketed' || line.isCounting) return marker
    const ahead = line.text + (space ? ' ' : '')
    const bare = readBare(text, isEnd, { line: ahead, isUsual: style === 'bare', isPassage })
    if (bare.kind === 'marker') style = 'bare'
    else if (bare.kind === 'none' && isBareNumber(text)) line.isCounting = true
    return bare
  }

  const goOn = (shown: string) => {
    const end = shown.lastIndexOf('\n')
    if (end >= 0) line = { text: '', isCounting: false }
    line.text = (line.text + shown.slice(end + 1)).slice(-LINE_LENGTH)
  }

  const tagsOf = (ids: string[]): string =>
    [...new Set(ids)]
      .filter((id) => known.has(id))
      .map((id) => {
        const number = numbers.get(id) ?? numbers.size + 1
        numbers.set(id, number)
        return tag(id, number)
      })
      .join('')

  /** Returns the text to show from the start of the buffer and its length there; null when more input is needed. */
  const next = (isEnd: boolean): { shown: string; length: number; isMarker?: true } | null => {
    const [first = ''] = held
    if (first === '`' || first === '~') {
      const run = /^(?:`+|~+)/.exec(held)?.[0] ?? first
      if (run.length === held.length && !isEnd) return null
      if (first === '`' || run.length >= 3) code.run(run)
      else code.text(run)
      return { shown: run, length: run.length }
    }
    if (!code.isCode() && START_OR_SPACE.test(first)) {
      // A space belongs to a marker behind it: it goes where that goes.
      const space = first === ' ' ? 1 : 0
      if (space === held.length && !isEnd) return null
      const marker = readHeld(space, isEnd)
      if (marker?.kind === 'partial') return null
      if (marker?.kind === 'marker') {
        const tags = tagsOf([...marker.numbers.map((number) => passages[number - 1] ?? ''), ...marker.ids])
        const shown = tags && (space ? ' ' : '') + tags
        if (tags) style ??= 'bracketed'
        code.text(shown)
        return { shown, length: space + marker.length, isMarker: true }
      }
    }
    const stop = held.slice(1).search(code.isCode() ? /[`~]/ : STOP)
    const plain = stop === -1 ? held : held.slice(0, stop + 1)
    code.text(plain)
    return { shown: plain, length: plain.length }
  }

  const work = (isEnd: boolean): string => {
    let shown = ''
    while (held !== '') {
      const step = next(isEnd)
      if (!step) break
      shown += step.shown
      if (!step.isMarker) goOn(step.shown)
      shownBefore = (shownBefore + step.shown).slice(-BEFORE_LENGTH)
      held = held.slice(step.length)
    }
    return shown
  }
  return {
    push: (delta) => {
      held += delta
      return work(false)
    },
    end: () => work(true),
    cited: () => numbers,
  }
}
