/** Characters in one paragraph that may begin or end something. */
const MAX_MARKS = 5_000
/** The maximum nesting depth of quotes and lists, by the characters at the beginning of a line and by its indent. */
const MAX_LEVELS = 100
const MAX_INDENT = 400

const signs = new Set([...'[]!<*_`~$&@\\'].map((sign) => sign.charCodeAt(0)))
const NEWLINE = 10

/**
 * Returns true if a paragraph has more Markdown characters, or a line more levels, than real texts have. Such a text is
 * read as plain paragraphs. Takes linear time.
 */
export function isMadeToStall(text: string): boolean {
  let found = 0
  let isEmptyLine = true
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === NEWLINE) {
      if (isEmptyLine) found = 0
      isEmptyLine = true
      continue
    }
    if (isEmptyLine && isNested(text, at)) return true
    if (code !== 32 && code !== 9) isEmptyLine = false
    if (signs.has(code)) found += 1
    if (found > MAX_MARKS) return true
  }
  return false
}

const start = /(?:[ \t]{0,20}(?:[>*+-]|\d{1,9}[.)])){0,101}[ \t]{0,401}/y

/** Only called at the beginning of a line. */
function isNested(text: string, at: number): boolean {
  if (text.charCodeAt(at - 1) !== NEWLINE && at > 0) return false
  start.lastIndex = at
  const head = start.exec(text)?.[0] ?? ''
  if (head.length <= MAX_LEVELS) return false
  const levels = head.replace(/[ \t\d]+/g, '').length
  return levels > MAX_LEVELS || head.length - head.trimEnd().length > MAX_INDENT
}
