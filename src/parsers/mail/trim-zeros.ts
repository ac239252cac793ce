/** Returns a text without the zeros at its end, with which Outlook terminates strings. */
export function trimZeros(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\0') end -= 1
  return text.slice(0, end)
}
