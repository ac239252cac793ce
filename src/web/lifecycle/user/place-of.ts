const here = /^(::1|127\.)/
const inside = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe80:)/i

/** Classifies an IP address without a lookup: this computer, a private network, or null. */
export function placeOf(address: string | null): 'here' | 'inside' | null {
  if (!address) return null
  return here.test(address) ? 'here' : inside.test(address) ? 'inside' : null
}
