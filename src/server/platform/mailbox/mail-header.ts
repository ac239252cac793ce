import { createHash } from 'node:crypto'

/** Header lines of a mail, unfolded, in their order. Names are in lower case. */
export type HeaderLines = { name: string; value: string }[]

const MAX_SHOWN_CHARACTERS = 500
const shownNames = ['from', 'to', 'subject', 'date', 'message-id', 'auto-submitted', 'precedence']
/** Header lines that mail servers write the addressees to. */
const addressees = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'])
const MAX_TOKENS = 5
const MAX_EARLIER = 50

/** Returns the header of a mail from its beginning; null when it does not end there. */
export function readHeader(head: Uint8Array): HeaderLines | null {
  const text = Buffer.from(head).toString('utf8')
  const end = /\r?\n\r?\n/.exec(text)
  if (!end) return null
  const lines = text.slice(0, end.index).split(/\r?\n(?![ \t])/)
  return lines.flatMap((line) => {
    const at = line.indexOf(':')
    if (at < 1) return []
    const value = line.slice(at + 1).replace(/\r?\n[ \t]+/g, ' ')
    return { name: line.slice(0, at).trim().toLowerCase(), value: value.trim() }
  })
}

export function valuesOf(header: HeaderLines, name: string): string[] {
  return header.flatMap((line) => (line.name === name ? line.value : []))
}

/**
 * Returns the address of the sender in lower case; null unless the header names exactly one. Forms that mail servers may read differently,
 * such as comments and lists, count as none.
 */
export function senderOf(header: HeaderLines): string | null {
  const [from, another] = valuesOf(header, 'from')
  if (from === undefined || another !== undefined) return null
  const unquoted = withoutQuotes(from)
  if (unquoted === null) return null
  const [, address] =
    /^[^<>@,:;()"]*<\s*([^\s<>@,:;()"]+@[^\s<>@,:;()"]+)\s*>$/.exec(unquoted) ??
    /^([^\s<>@,:;()"]+@[^\s<>@,:;()"]+)$/.exec(unquoted) ??
    []
  return address?.toLowerCase() ?? null
}

/** Removes quoted parts; null for a quote that does not end. */
function withoutQuotes(text: string): string | null {
  let isQuoted = false
  let rest = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') isQuoted = !isQuoted
    else if (isQuoted && letter === '\\') at++
    else if (!isQuoted) rest += letter
  }
  return isQuoted ? null : rest
}

/** Returns the tokens of the addresses `local+token@domain` that a mail was sent to, at most five. */
export function tokensOf(header: HeaderLines, address: string): string[] {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  const sent = header.filter(({ name }) => addressees.has(name)).map(({ value }) => value.toLowerCase())
  const found = sent
    .flatMap((value) => value.split(/[\s,;:<>"()]/))
    .filter((one) => one.startsWith(`${local}+`) && one.endsWith(`@${domain}`))
    .map((one) => one.slice(local.length + 1, -domain.length - 1))
    .filter((token) => /^[a-z0-9]{8,64}$/.test(token))
  return [...new Set(found)].slice(0, MAX_TOKENS)
}

/** Returns the Message-ID; a hash of the header for a mail without a usable one. */
export function idOf(header: HeaderLines): string {
  const [, id] = /^<([\x21-\x3b\x3d\x3f-\x7e]{1,200})>$/.exec(valuesOf(header, 'message-id')[0] ?? '') ?? []
  if (id !== undefined) return id
  return `sha256:${createHash('sha256').update(JSON.stringify(header)).digest('hex')}`
}

/** Returns the Message-IDs of the mails that a mail answers, the oldest first, at most the last 50. */
export function earlierOf(header: HeaderLines): string[] {
  const named = [...valuesOf(header, 'references'), ...valuesOf(header, 'in-reply-to')].join(' ')
  const ids = [...named.matchAll(/<([\x21-\x3b\x3d\x3f-\x7e]{1,200})>/g)].map(([, id = '']) => id)
  return [...new Set(ids)].slice(-MAX_EARLIER)
}

/** Returns whether a program sent the mail on its own: a reply from an absent person, a bounce, a mailing list. */
export function isAutomatic(header: HeaderLines): boolean {
  const submitted = valuesOf(header, 'auto-submitted')
  if (submitted.some((value) => !/^no\b/i.test(value))) return true
  const precedence = valuesOf(header, 'precedence')
  if (precedence.some((value) => /^(bulk|junk|list|auto_reply)\b/i.test(value))) return true
  return valuesOf(header, 'return-path').some((value) => value === '<>')
}

/** Returns the lines that a log shows, cut. */
export function shownOf(header: HeaderLines): Record<string, string> {
  const lines = shownNames.flatMap((name) =>
    valuesOf(header, name)
      .slice(0, 1)
      .map((value): [string, string] => [name, value.slice(0, MAX_SHOWN_CHARACTERS)]),
  )
  return Object.fromEntries(lines)
}
