/** Bytes of an IP address: 4 or 16. */
export type Address = readonly number[]
/** A network in CIDR notation: its first address and the length of its prefix in bits. */
export type Network = { bytes: Address; bits: number }

const V4_BYTES = 4
const V6_GROUPS = 8
/** Bits before the IPv4 address in an IPv4-mapped IPv6 address. */
const MAPPED_BITS = 96

/** Parses an IP address, without its port and zone. Returns an IPv4-mapped IPv6 address as IPv4, and null for other text. */
export function parseAddress(text: string): Address | null {
  const bytes = parseBytes(bareAddress(text))
  return bytes && isMapped(bytes) ? bytes.slice(-V4_BYTES) : bytes
}

/** Returns an IP address without its port and zone, and an IPv4-mapped one as IPv4. Returns other text unchanged. */
export function plainAddress(text: string): string {
  const bytes = parseAddress(text)
  if (!bytes) return text
  return bytes.length === V4_BYTES ? bytes.join('.') : bareAddress(text).toLowerCase()
}

/** Parses a network such as `10.0.0.0/8`, or a single address. Clears the bits after the prefix. Returns null for other text. */
export function parseNetwork(text: string): Network | null {
  const [first = '', length, ...rest] = text.trim().split('/')
  const bytes = parseBytes(first)
  if (!bytes || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return null
  const all = bytes.length * 8
  const bits = length === undefined ? all : Number(length)
  if (bits > all) return null
  if (isMapped(bytes) && bits >= MAPPED_BITS)
    return { bytes: mask(bytes.slice(-V4_BYTES), bits - MAPPED_BITS), bits: bits - MAPPED_BITS }
  return { bytes: mask(bytes, bits), bits }
}

/** Returns a network in CIDR notation. IPv6 groups are not shortened. */
export function formatNetwork({ bytes, bits }: Network): string {
  if (bytes.length === V4_BYTES) return `${bytes.join('.')}/${bits}`
  const groups = Array.from({ length: V6_GROUPS }, (_, at) =>
    ((bytes[at * 2] ?? 0) * 256 + (bytes[at * 2 + 1] ?? 0)).toString(16),
  )
  return `${groups.join(':')}/${bits}`
}

/** Returns whether an address is in a network. An IPv4 address is in no IPv6 network. */
export function contains({ bytes, bits }: Network, address: Address): boolean {
  return bytes.length === address.length && mask(address, bits).every((byte, at) => byte === bytes[at])
}

function mask(bytes: Address, bits: number): Address {
  return bytes.map((byte, at) => {
    const kept = Math.min(8, Math.max(0, bits - at * 8))
    return byte & (0xff << (8 - kept))
  })
}

const isMapped = (bytes: Address) =>
  bytes.length === V6_GROUPS * 2 && bytes.slice(0, 12).every((byte, at) => byte === (at < 10 ? 0 : 0xff))

const bareAddress = (text: string) => withoutPort(text.trim()).split('%')[0] ?? ''

/** Some proxies add the client's port in `X-Forwarded-For`. */
function withoutPort(text: string): string {
  return /^([\d.]+):\d+$/.exec(text)?.[1] ?? /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text
}

const parseBytes = (text: string) => (text.includes(':') ? parseV6(text) : parseV4(text))

/** Refuses leading zeros, which some programs read as octal. */
function parseV4(text: string): number[] | null {
  const parts = text.split('.')
  if (parts.length !== V4_BYTES || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return null
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

function parseV6(text: string): number[] | null {
  const [head = '', tail, ...rest] = text.split('::')
  const first = parseGroups(head)
  const last = tail === undefined ? [] : parseGroups(tail)
  if (!first || !last || rest.length > 0) return null
  const missing = V6_GROUPS * 2 - first.length - last.length
  if (tail === undefined ? missing !== 0 : missing < 2) return null
  return [...first, ...Array<number>(missing).fill(0), ...last]
}

/** Returns the bytes of groups between colons; the last may be an IPv4 address. */
function parseGroups(text: string): number[] | null {
  if (text === '') return []
  const groups = text.split(':')
  const bytes = groups.map((group, at) => {
    if (group.includes('.')) return at === groups.length - 1 ? parseV4(group) : null
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return null
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
  return bytes.every((group) => group !== null) ? bytes.flat() : null
}
