import { BlockList, isIP } from 'node:net'

/** Ranges without public services (IANA special-purpose registries), and multicast. */
const ranges4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]
/** Only 2000::/3 of IPv6 is public. These are special ranges inside it. */
const ranges6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')
const special = new BlockList()
for (const range of ranges4) add(range, 'ipv4')
for (const range of ranges6) add(range, 'ipv6')

function add(range: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', bits] = range.split('/')
  special.addSubnet(address, Number(bits), family)
}

/** Returns whether an IP address is not public. Anything that is not an address counts as private. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return special.check(address, 'ipv4')
  if (family !== 6) return true
  const embedded = embeddedIPv4(address)
  if (embedded) return isPrivateAddress(embedded)
  return !public6.check(address, 'ipv6') || special.check(address, 'ipv6')
}

/** Returns the IPv4 address inside an IPv6 address: mapped (::ffff:0:0/96) or translated (64:ff9b::/96). */
function embeddedIPv4(address: string): string | null {
  const groups = expand(address)
  if (groups === null) return null
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  const isTranslated =
    groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0)
  if (!isMapped && !isTranslated) return null
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** Returns the eight groups of an IPv6 address. The URL parser accepts all its notations. */
function expand(address: string): number[] | null {
  const bare = address.split('%')[0] ?? ''
  if (!URL.canParse(`http://[${bare}]/`)) return null
  const [head = '', tail] = new URL(`http://[${bare}]/`).hostname.slice(1, -1).split('::')
  const read = (part: string) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const [left, right] = [read(head), read(tail ?? '')]
  return tail === undefined ? left : [...left, ...new Array(8 - left.length - right.length).fill(0), ...right]
}
