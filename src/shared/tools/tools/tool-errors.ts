/**
 * What the product itself says of a call that came to nothing. The model reads the sentence, and so does whoever asks
 * the server; the interface reads the code back from it and says it in the person's language. What a tool says of
 * its own failure is none of these and stands as it is.
 */
const sentences = {
  declined: 'The person declined this call.',
  declined_because: 'The person declined this call: {reason}',
  /** Text of others is in the context, and who asks cannot approve. */
  not_sent:
    'This call was not made: it would have sent text to {host}, and nobody with an account can approve that here.',
  /** Written by the reducer. */
  stopped: 'Stopped',
  ended: 'The run ended before this call did.',
  skipped: 'This call was interrupted, and the person went on without its result. It may have happened.',
  not_json: 'The arguments are not valid JSON.',
  invalid: 'The arguments are not valid. {issues}',
  /** Closed to its person by a grant. */
  closed: 'The tool {tool} is not open to you. Ask your administrator.',
  /** Whoever made it, or connected its server, turned it off. */
  off: 'The tool {tool} is switched off. Whoever connected its server can switch it on again.',
  unknown: 'There is no tool named {tool}.',
  slow: '{tool} took longer than {seconds} seconds.',
  unexpected: '{tool} failed unexpectedly.',
  /** `page`: the address where the person connects it. */
  not_connected: 'Your account at {service} is not connected. Connect it here, then try again: {page}',
} as const

export type ToolErrorCode = keyof typeof sentences
type Values = Record<string, string>

/** The sentence of a code. */
export function toolError(code: ToolErrorCode, values: Values = {}): string {
  return sentences[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** Which of the product's own sentences an error is, and what it names; null for what a tool said. */
export function readToolError(error: string | null): { code: ToolErrorCode; values: Values } | null {
  for (const [code, sentence] of Object.entries(sentences) as [ToolErrorCode, string][]) {
    const values = readValues(sentence, error ?? '')
    if (values) return { code, values }
  }
  return null
}

/** How a call ended that a person or the end of its run kept from its result; null for every other error. */
export function readEnding(error: string | null): 'declined' | 'stopped' | null {
  const code = readToolError(error)?.code
  if (code === 'declined' || code === 'declined_because') return 'declined'
  return code === 'stopped' || code === 'ended' ? 'stopped' : null
}

/** What stands in a text where the sentence has its names; null when it is another sentence. */
function readValues(sentence: string, text: string): Values | null {
  const [start = '', ...rest] = sentence.split(/[{}]/)
  if (!text.startsWith(start)) return null
  const values: Values = {}
  let at = start.length
  while (rest.length > 0) {
    const [name = '', next = ''] = rest.splice(0, 2)
    const end = rest.length > 0 ? text.indexOf(next, at) : text.length - next.length
    if (end < at || !text.startsWith(next, end)) return null
    values[name] = text.slice(at, end)
    at = end + next.length
  }
  return at === text.length ? values : null
}
