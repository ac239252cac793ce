import { cutPoint } from '../cut-point.ts'

/** Maximum characters of a section; Slack takes 3,000. */
const SECTION = 2_900

/** Cuts a text of Slack into the texts of its sections, none of which is empty. */
export function cutMrkdwn(text: string): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > SECTION) {
    const at = cutPoint(rest, SECTION, linkAround)
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return [...pieces, rest].filter((piece) => piece.trim() !== '')
}

/** Brackets that are not those of a link are escaped. */
function linkAround(text: string, at: number): number | null {
  const open = text.lastIndexOf('<', at - 1)
  return open > text.lastIndexOf('>', at - 1) ? open : null
}
