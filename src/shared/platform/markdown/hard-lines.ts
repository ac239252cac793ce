/** Maximum line length in characters. Longer, deeper or wider lines could take the parser seconds and are shown as source. */
export const longestLine = 20_000
const deepest = 40
const widest = 200

/** Returns the offsets of the first hard lines, without the last line end; null when there are none. */
export function findHardLines(text: string): { start: number; end: number } | null {
  let first = -1
  let last = -1
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start)
    const end = next < 0 ? text.length : next
    if (isHard(text, start, end)) {
      if (first < 0) first = start
      last = end
    } else if (first >= 0) break
    start = end + 1
  }
  return first < 0 ? null : { start: first, end: last }
}

/** Returns true for a hard line; short lines never are. */
function isHard(text: string, start: number, end: number): boolean {
  if (end - start <= deepest) return false
  if (end - start > longestLine) return true
  const line = text.slice(start, end)
  const lead = /^[ \t>*+.)\d-]*/.exec(line)![0]
  const depth = lead.match(/>|[-+*.)](?=[ \t]|$)/g)?.length ?? 0
  return (
    depth > deepest || (depth > 0 && lead.length > 5 * deepest) || line.split('|', widest + 1).length > widest
  )
}
