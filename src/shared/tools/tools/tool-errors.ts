/**
 * The product's own sentences for failed tool calls. The model and API clients receive the sentence; the interface
 * parses the code from it and translates it. A tool's own error message is none of these and stays unchanged.
 */
const sentences = {
  declined: 'The person declined this call.',
  declined_because: 'The person declined this call: {reason}',
  /** The answers of a named approver. */
  not_approved: 'The approver declined this call.',
  not_approved_because: 'The approver declined this call: {reason}',
  not_approved_in_time: 'Nobody approved this call in time.',
  /** A company names an approver for the tool, and neither they nor a deputy can act. */
  no_approver:
    'This call needs the approval of a person your company named, and nobody of them can give it. Ask your administrator.',
  /** The context contains text by others, and the caller cannot approve the call. */
  not_sent:
    'This call was not made: it would have sent text to {host}, and nobody with an account can approve that here.',
  /** Written by the reducer. */
  stopped: 'Stopped',
  ended: 'The run ended before this call did.',
  skipped: 'This call was interrupted, and the person went on without its result. It may have happened.',
  not_json: 'The arguments are not valid JSON.',
  invalid: 'The arguments are not valid. {issues}',
  /** A grant closes the tool to this person. */
  closed: 'The tool {tool} is not open to you. Ask your administrator.',
  /** Switched off by its author or the owner of its server. */
  off: 'The tool {tool} is switched off. Whoever connected its server can switch it on again.',
  unknown: 'There is no tool named {tool}.',
  slow: '{tool} took longer than {seconds} seconds.',
  unexpected: '{tool} failed unexpectedly.',
  /** `page`: the address where the person connects the account. */
  not_connected: 'Your account at {service} is not connected. Connect it here, then try again: {page}',
  /** The person has connected no account that the tool could use. */
  no_account: 'No account for this is connected. Connect it in your settings, then try again: /user/accounts',
  other_account: 'The account {account} is not connected. Leave the account out to use the one that is.',
  others_read:
    'Your accounts and databases are not used in a chat that others can read. Ask in a chat of your own.',
  others_wrote:
    'Your accounts and databases are not used to answer messages, events or programs from outside. Ask in a chat of your own.',
  forbidden_action: 'Your settings or your company do not allow {tool}.',
  private_host:
    '{host} is in a private network. The administrator of this server can allow it in the setting ATRIUM_TOOLS_PRIVATE.',
} as const

export type ToolErrorCode = keyof typeof sentences
type Values = Record<string, string>

/** Returns the sentence for a code. */
export function toolError(code: ToolErrorCode, values: Values = {}): string {
  return sentences[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** Parses one of the product's own sentences to its code and values; returns null for a tool's own message. */
export function readToolError(error: string | null): { code: ToolErrorCode; values: Values } | null {
  for (const [code, sentence] of Object.entries(sentences) as [ToolErrorCode, string][]) {
    const values = readValues(sentence, error ?? '')
    if (values) return { code, values }
  }
  return null
}

const declined: ReadonlySet<ToolErrorCode> = new Set<ToolErrorCode>([
  ...([
    'declined',
    'declined_because',
    'not_approved',
    'not_approved_because',
    'not_approved_in_time',
  ] as const),
])

/** Returns how a person or the end of the run ended a call; null for every other error. */
export function readEnding(error: string | null): 'declined' | 'stopped' | null {
  const code = readToolError(error)?.code
  if (code && declined.has(code)) return 'declined'
  return code === 'stopped' || code === 'ended' ? 'stopped' : null
}

/** Extracts the placeholder values of a sentence from a text; returns null when the text does not match. */
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
