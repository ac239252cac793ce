/** An instruction, and the text it applies to. */
export type Instructed = { instruction: string; words: Set<string>; body: string }

/** Maximum length of an instruction: the first line, the part of it before a colon, or the last line after a text. */
const longest = 200

/** Reads a message as an instruction and a text, which may be empty. Returns null without a known instruction. */
export function readInstruction(text: string, isKnown: (words: Set<string>) => boolean): Instructed | null {
  const trimmed = text.trim()
  const lineEnd = trimmed.indexOf('\n')
  const head = trimmed.slice(0, lineEnd < 0 ? longest : Math.min(lineEnd, longest))
  const colon = head.search(/:(?=\s|$)/)
  const first = colon >= 0 ? head.slice(0, colon) : head
  const begin = instructed(first, trimmed.slice(first.length).replace(/^\s*:?/, ''))
  const isWhole = lineEnd < 0 && colon < 0
  if (isKnown(begin.words)) return isWhole ? { ...begin, body: '' } : begin
  const lastLine = trimmed.lastIndexOf('\n')
  const last = trimmed.slice(lastLine + 1)
  if (lastLine < 0 || last.length > longest) return null
  const end = instructed(last, trimmed.slice(0, lastLine))
  return isKnown(end.words) ? end : null
}

function instructed(instruction: string, body: string): Instructed {
  const words = instruction.toLowerCase().match(/\p{L}+/gu) ?? []
  return { instruction, words: new Set(words), body: body.trim() }
}
