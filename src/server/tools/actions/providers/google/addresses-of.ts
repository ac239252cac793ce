const MAX_ADDRESSES = 100

/** Returns the addresses of a header of a mail. Names and comments, which may hold other addresses, are left out. */
export function addressesOf(header: string): string[] {
  const addresses = withoutNames(header)
    .split(/[,;]/)
    .flatMap((part) => {
      const [, inside = part] = /<([^<>]{0,400})>/.exec(part) ?? []
      return /[^\s<>,;:"]{1,128}@[^\s<>,;:"]{1,255}/.exec(inside) ?? []
    })
  return addresses.slice(0, MAX_ADDRESSES)
}

/** Returns a header without its quoted texts and comments (RFC 5322). */
function withoutNames(header: string): string {
  let kept = ''
  let isQuoted = false
  let depth = 0
  for (let at = 0; at < header.length; at += 1) {
    const letter = header[at]
    if (letter === '\\' && (isQuoted || depth > 0)) at += 1
    else if (letter === '"' && depth === 0) isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (letter === '(') depth += 1
    else if (letter === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) kept += letter
  }
  return kept
}
