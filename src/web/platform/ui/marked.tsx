export type MatchPart = { text: string; isHit: boolean }

const HIT_START = '\uE000'
const HIT_END = '\uE001'

/** Splits a passage from the server, whose hits are between U+E000 and U+E001, into parts. */
export function splitMatch(match: string): MatchPart[] {
  const parts: MatchPart[] = []
  for (const [index, piece] of match.split(HIT_START).entries()) {
    const end = index === 0 ? -1 : piece.indexOf(HIT_END)
    if (end >= 0) parts.push({ text: piece.slice(0, end), isHit: true })
    parts.push({ text: piece.slice(end + 1).replaceAll(HIT_END, ''), isHit: false })
  }
  return parts.filter(({ text }) => text !== '')
}

/** A text with highlighted hits. */
export function Marked({ parts }: { parts: MatchPart[] }) {
  let at = 0
  return parts.map(({ text, isHit }) => {
    at += text.length
    return isHit ? (
      <mark
        key={at}
        className="rounded-[3px] bg-accent-soft px-px font-medium text-accent shadow-[inset_0_-1.5px_0_var(--accent-line)]"
      >
        {text}
      </mark>
    ) : (
      text
    )
  })
}
