/** What is to be done, and the text it is to be done with. */
export type Instructed = { instruction: string; words: Set<string>; body: string }

/** An instruction is a short line, or what stands before a colon; behind a text it is the last line. */
const longest = 200

/** Reads a message as an instruction and a text; with no text behind it the body is empty. */
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
