/** The words after a slash, and where they stand in the text. */
export type SlashWords = { words: string; start: number; end: number }

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
