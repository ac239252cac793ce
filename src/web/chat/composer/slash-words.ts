/** The words after a sign, and where they stand in the text. */
export type SlashWords = { words: string; start: number; end: number }

/**
 * Returns the words between an `@` and the caret. The `@` begins the message or follows a space; the words may have spaces, but do not begin
 * with one. Null when there is none.
 */
export function mentionWordsAt(text: string, caret: number): SlashWords | null {
  const found = /(?:^|[\s(])@((?:[^\s@][^\n@]{0,59})?)$/.exec(text.slice(0, caret).slice(-62))
  if (!found) return null
  const words = found[1] ?? ''
  return { words, start: caret - words.length - 1, end: caret }
}

/**
 * Returns the words between a slash and the caret. The slash begins the message, and the words may have spaces, or it follows a
 * space. Null when there is none.
 */
export function slashWordsAt(text: string, caret: number): SlashWords | null {
  const before = text.slice(0, caret)
  const whole = /^\/([^\n/]{0,60})$/.exec(before)
  if (whole) return { words: whole[1] ?? '', start: 0, end: caret }
  const last = /[\s\u2028]\/([^\s/]{0,60})$/.exec(before.slice(-62))
  if (!last) return null
  const words = last[1] ?? ''
  return { words, start: caret - words.length - 1, end: caret }
}
