/** A piece of an expression: possible characters, alternative sequences, or nothing. */
export type Piece =
  | { kind: 'characters'; samples: string[]; others: string[] }
  | { kind: 'group'; alternatives: Piece[][]; isAhead: boolean }

const alphabet = [
  ...'a0-. \n/_<>"?=x&:;,(|[`$*@\t\\{}]~!#%^+)\'Zéß中«\0',
  ...'bcdefghijklmnopqrstuvwyABCDEFGHIJKLMNOPQRSTUVWXY123456789…–́',
]
const groupStart = /\((?:\?(?:<?[=!]|:|<\w+>))?/y
const escaped = /\\(?:[pPkux]\{[^}]*\}|k<\w+>|u[0-9a-f]{4}|x[0-9a-f]{2}|c[A-Z]|\d+|[\s\S])/iy
const quantifier = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y

/** Literal characters that are not quantified individually. */
const literalRun = /[\w <>"'=:;,~@#&%-]{2,}(?![*+?{])/y

/** Returns the pieces of an expression without assertions. Repeated pieces appear once, or as often as required. */
export function readPattern(source: string, flags: string): Piece[][] {
  let at = 0
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match) at += match[0].length
    return match
  }
  const alternatives = (): Piece[][] => {
    const all: Piece[][] = [[]]
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at += 1
        all.push([])
        continue
      }
      const word = read(literalRun)
      const piece = word ? literal(word[0]) : atom()
      const count = word ? 1 : Math.min(Number(read(quantifier)?.[1] ?? 1), 64) || 1
      if (piece) all.at(-1)!.push(...Array.from({ length: count }, () => piece))
    }
    return all
  }
  const atom = (): Piece | null => {
    const start = read(groupStart)
    if (start) {
      const inner = alternatives()
      at += 1
      return { kind: 'group', alternatives: inner, isAhead: /[=!]$/.test(start[0]) }
    }
    const from = at
    if (source[at] === '[') skipClass()
    else if (!read(escaped)) at += source.codePointAt(at)! > 0xffff ? 2 : 1
    const text = source.slice(from, at)
    return /^([\^$]|\\[bB])$/.test(text) ? null : charactersOf(text, flags)
  }
  const skipClass = () => {
    for (at += 1; source[at] !== ']'; ) if (!read(escaped)) at += 1
    at += 1
  }
  return alternatives()
}

const literal = (text: string): Piece => ({ kind: 'characters', samples: [text], others: [] })

function charactersOf(text: string, flags: string): Piece {
  const one = new RegExp(`^(?:${text})$`, flags.replace(/[gy]/g, ''))
  const fits = alphabet.filter((character) => one.test(character))
  const isLiteral = !/^(\[|\\[dDsSwWpP]|\.$)/.test(text)
  // A literal outside the alphabet represents itself.
  const samples = fits.length > 0 ? spread(fits) : [text.replace(/^\\/, '')]
  const others = isLiteral ? [] : alphabet.filter((character) => !one.test(character)).slice(0, 3)
  return { kind: 'characters', samples: isLiteral ? samples.slice(0, 1) : samples, others }
}

/** Returns the first match, one from the middle and a white space, because classes of one expression overlap in different parts. */
function spread(fits: string[]): string[] {
  const space = fits.filter((character) => /\s/.test(character)).slice(0, 1)
  return [...new Set([fits[0]!, fits[Math.floor(fits.length / 3)]!, ...space])]
}
