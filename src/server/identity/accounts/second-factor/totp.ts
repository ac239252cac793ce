import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
const digits = 6
/** Tolerates clock drift of one step in each direction. */
const drift = [0, -1, 1]
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns a new secret of 160 bits (RFC 4226) in Base32. */
export function newTotpSecret(): string {
  return encodeBase32(randomBytes(20))
}

/** Returns the code of a time step: HOTP of RFC 4226 with SHA-1, as authenticator apps use it. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const offset = mac[mac.length - 1]! & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Returns the RFC 6238 time step of a time. */
export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / stepSeconds)
}

/** Returns the time step of a code near this time, or null when it is wrong. */
export function matchingStep(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const given = Buffer.from(code)
  const steps = drift.map((by) => stepAt(now) + by)
  const fits = steps.filter((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), given))
  return fits[0] ?? null
}

/** Returns the URI for the QR code. */
export function totpUri(secret: string, account: string): string {
  const label = `Atrium:${account}`
  const query = new URLSearchParams({ secret, issuer: 'Atrium' })
  return `otpauth://totp/${encodeURIComponent(label)}?${query}`
}

function encodeBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
