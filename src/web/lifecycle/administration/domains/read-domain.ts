/** Parses a domain, or the domain of an email address, to lower-case ASCII. Returns null when invalid. */
export function readDomain(typed: string): string | null {
  const name = typed.trim().replace(/^.*@/, '')
  if (/[/:?#\s\\]/.test(name) || !URL.canParse(`http://${name}`)) return null
  const { hostname } = new URL(`http://${name}`)
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname) && !/^[\d.]+$/.test(hostname) ? hostname : null
}
