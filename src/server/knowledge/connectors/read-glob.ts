/** Alternatives that the braces of a pattern may stand for. Braces beyond that are ordinary characters. */
const MAX_ALTERNATIVES = 250

/** One part of a segment: a text, or one character by a test. */
type Piece = { text: string } | { fits: (sign: string) => boolean }
/** The pieces between the stars of a segment. `**` is any number of folders. */
type Segment = Piece[][] | '**'

/**
 * Parses a pattern with `*`, `?`, `[a-z]`, `{one,two}` and `**`. Returns whether it fits a whole path. As in a shell, only a literal dot
 * fits a dot at the beginning of a name. Comparing never takes exponential time, whatever the pattern.
 */
export function readGlob(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map(readSegments)
  return (path) => {
    const names = path.split('/')
    return alternatives.some((segments) => fitsPath(segments, names))
  }
}

/** Returns the patterns that a pattern with braces stands for. */
function expandBraces(pattern: string): string[] {
  const open = [pattern]
  const done: string[] = []
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    const group = findBraces(one)
    const [start, end] = group ? [one.slice(0, group.from), one.slice(group.to + 1)] : ['', '']
    if (group && open.length + done.length + group.options.length <= MAX_ALTERNATIVES)
      open.push(...group.options.map((option) => start + option + end))
    else done.push(one)
  }
  return done
}

/** Finds the first innermost braces with a comma. */
function findBraces(pattern: string): { from: number; to: number; options: string[] } | null {
  for (let to = pattern.indexOf('}'); to >= 0; to = pattern.indexOf('}', to + 1)) {
    const from = pattern.lastIndexOf('{', to)
    const options = from < 0 ? [] : pattern.slice(from + 1, to).split(',')
    if (options.length > 1 && !options.join('').includes('}')) return { from, to, options }
  }
  return null
}

/** Parses the names of a pattern. `**` at its end needs a name. */
function readSegments(pattern: string): Segment[] {
  const segments = pattern.split('/').map(readSegment)
  return segments.at(-1) === '**' ? [...segments, readSegment('*')] : segments
}

function readSegment(text: string): Segment {
  if (text === '**') return '**'
  const parts: Piece[][] = [[]]
  for (let at = 0; at < text.length; at += 1) {
    const [sign, part] = [text[at] ?? '', parts.at(-1) ?? []]
    const end = sign === '[' ? text.indexOf(']', at + 2) : -1
    const last = part.at(-1)
    if (sign === '*') {
      if (part.length > 0 || parts.length === 1) parts.push([])
    } else if (sign === '?') part.push({ fits: () => true })
    else if (end > 0) {
      part.push({ fits: readClass(text.slice(at + 1, end)) })
      at = end
    } else if (last && 'text' in last) last.text += sign
    else part.push({ text: sign })
  }
  return parts
}

/** Reads the inside of `[a-z_]` or `[!a-z]`. */
function readClass(inside: string): (sign: string) => boolean {
  const isNegated = /^[!^]/.test(inside)
  const ranges = [...inside.slice(isNegated ? 1 : 0).matchAll(/(.)-(.)|(.)/gs)]
  return (sign) => {
    const isIn = ranges.some(([, from, to, one]) =>
      one === undefined ? sign >= (from ?? '') && sign <= (to ?? '') : sign === one,
    )
    return isIn !== isNegated
  }
}

/** Compares folder by folder. A name that does not fit is left to the last `**`, as with `*` inside of a name. */
function fitsPath(segments: readonly Segment[], names: readonly string[]): boolean {
  let [at, name, star, from] = [0, 0, -1, 0]
  while (name < names.length) {
    const segment = segments[at]
    if (segment === '**') {
      ;[star, from] = [at, name]
      at += 1
    } else if (segment && fitsName(segment, names[name] ?? '')) {
      at += 1
      name += 1
    } else {
      if (star < 0 || names[from]?.startsWith('.')) return false
      from += 1
      ;[at, name] = [star + 1, from]
    }
  }
  return at === segments.length
}

/** Finds the parts between the stars one after the other, each as early as possible. */
function fitsName(parts: readonly Piece[][], name: string): boolean {
  const [first = [], ...others] = parts
  const isLiteral = first[0] !== undefined && 'text' in first[0]
  if (name.startsWith('.') && !isLiteral) return false
  let at = endOf(first, name, 0)
  if (at < 0) return false
  if (others.length === 0) return at === name.length
  const last = others.pop() ?? []
  for (const part of others) {
    at = findPart(part, name, at)
    if (at < 0) return false
  }
  const start = name.length - lengthOf(last)
  return start >= at && endOf(last, name, start) === name.length
}

const lengthOf = (part: readonly Piece[]) =>
  part.reduce((sum, piece) => sum + ('text' in piece ? piece.text.length : 1), 0)

/** Returns the position behind a part that begins there; -1 when it does not. */
function endOf(part: readonly Piece[], name: string, from: number): number {
  let at = from
  for (const piece of part) {
    const isHere =
      'text' in piece ? name.startsWith(piece.text, at) : at < name.length && piece.fits(name[at] ?? '')
    if (!isHere) return -1
    at += 'text' in piece ? piece.text.length : 1
  }
  return at
}

/** Returns the position behind the first occurrence of a part; -1 without one. */
function findPart(part: readonly Piece[], name: string, from: number): number {
  const [first] = part
  for (let at = from; at <= name.length; at += 1) {
    if (first && 'text' in first) at = name.indexOf(first.text, at)
    if (at < 0) return -1
    const end = endOf(part, name, at)
    if (end >= 0) return end
  }
  return -1
}
