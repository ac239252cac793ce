/**
 * Returns whether the receiving mail server states that a mail comes from the domain of its sender (RFC 8601). `results` are the values of
 * `Authentication-Results`, the newest first. Only the newest of the server with the id `authserv` counts: other servers, and senders, write
 * such lines as well.
 */
export function isGenuine(results: readonly string[], authserv: string, sender: string): boolean {
  const newest = results.find((value) => value.split(/[\s;]/)[0]?.toLowerCase() === authserv)
  const own = newest === undefined ? null : partsOf(newest)
  if (!own) return false
  const domain = sender.slice(sender.lastIndexOf('@') + 1)
  const checks = own.slice(1).flatMap((part) => checkOf(part) ?? [])
  const dmarc = checks.filter(({ method }) => method === 'dmarc')
  if (dmarc.some(({ result }) => result === 'fail')) return false
  if (dmarc.some(({ result, of }) => result === 'pass' && (of['header.from'] ?? domain) === domain))
    return true
  return checks.some(
    ({ method, result, of }) =>
      result === 'pass' &&
      ((method === 'dkim' && isOfDomain(of['header.d'] ?? of['header.i'], domain)) ||
        (method === 'spf' && isOfDomain(of['smtp.mailfrom'], domain))),
  )
}

type Check = { method: string; result: string; of: Record<string, string> }

/** Reads `method=result type.property=value …`. */
function checkOf(part: string): Check | null {
  const [, method, result, rest = ''] = /^([a-z0-9-]+)(?:\/\d+)?\s*=\s*([a-z]+)(.*)$/is.exec(part) ?? []
  if (method === undefined || result === undefined) return null
  const properties = [...rest.matchAll(/(?<=\s)([a-z]+\.[a-z0-9-]+)\s*=\s*(\S+)/gi)]
  const of = properties.map(([, name = '', value = '']) => [name.toLowerCase(), value.toLowerCase()])
  return { method: method.toLowerCase(), result: result.toLowerCase(), of: Object.fromEntries(of) }
}

/** Returns whether a domain or an address belongs to the domain or to one below it. */
function isOfDomain(named: string | undefined, domain: string): boolean {
  const other = (named ?? '').split('@').at(-1) ?? ''
  return other === domain || other.endsWith(`.${domain}`)
}

/**
 * Splits at semicolons outside of quotes, without comments and quotes. White space in quotes becomes `_`. Returns null for an open quote or
 * comment, which hides what follows.
 */
function partsOf(value: string): string[] | null {
  const parts = ['']
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < value.length; at++) {
    const letter = value[at] ?? ''
    const isEscaped = letter === '\\' && (isQuoted || depth > 0)
    if (isEscaped) at++
    else if (letter === '"' && depth === 0) isQuoted = !isQuoted
    else if (letter === '(' && !isQuoted) depth++
    else if (letter === ')' && !isQuoted && depth > 0) depth--
    else if (letter === ';' && !isQuoted && depth === 0) parts.push('')
    else if (depth === 0) parts[parts.length - 1] += isQuoted && /\s/.test(letter) ? '_' : letter
  }
  return isQuoted || depth > 0 ? null : parts.map((part) => part.trim())
}
