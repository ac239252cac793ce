const FIELD = /\{\{[^{}]*\}\}/
/** Shorter prompts may be the person's own words by chance. */
const MIN_PROMPT = 12

/** Removes a prompt and the values of its fields from a message. A message that changes its words stays as it is. */
export function withoutPrompt(message: string, prompt: string): string {
  const parts = prompt
    .replace(/\r\n?/g, '\n')
    .split(FIELD)
    .map((part) => part.trim())
  const words = parts.filter((part) => part !== '')
  if (words.join('').length < MIN_PROMPT) return message
  let [from, to] = [-1, 0]
  for (const [number, part] of words.entries()) {
    // The last one may stand in a value too.
    const at =
      number > 0 && number === words.length - 1 ? message.lastIndexOf(part) : message.indexOf(part, to)
    if (at < to) return message
    if (from < 0) from = at
    to = at + part.length
  }
  // A field at the beginning or the end has no limit.
  const before = parts[0] === '' ? '' : message.slice(0, from)
  const after = parts.at(-1) === '' ? '' : message.slice(to)
  return `${before}\n${after}`.trim()
}
