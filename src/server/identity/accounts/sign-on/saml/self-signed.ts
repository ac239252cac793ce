import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A private key as PEM text, and its certificate as base64 of the DER form. */
export type KeyPair = { key: string; certificate: string }

const YEARS = 10
const SHA256_WITH_RSA = '2a864886f70d01010b'
const COMMON_NAME = '550403'

/** Creates an RSA key with a self-signed certificate (X.509 v3, RFC 5280) that is valid for ten years. */
export function createSelfSigned(name: string, now: Date): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 3072 })
  const certificate = certify(name, now, privateKey, publicKey)
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: certificate.toString('base64'),
  }
}

function certify(name: string, now: Date, privateKey: KeyObject, publicKey: KeyObject): Buffer {
  const algorithm = der(0x30, oid(SHA256_WITH_RSA), der(0x05))
  const subject = der(0x30, der(0x31, der(0x30, oid(COMMON_NAME), der(0x0c, Buffer.from(name)))))
  const until = new Date(now)
  until.setUTCFullYear(now.getUTCFullYear() + YEARS)
  const from = new Date(now.getTime() - 3_600_000)
  const serial = randomBytes(16)
  // A positive number without a leading zero byte.
  serial[0] = (serial[0]! & 0x7f) | 0x40
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    subject,
    der(0x30, time(from), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', body, privateKey)
  return der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature))
}

/** Returns a value with its tag and length (X.690, 8.1). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

/** UTCTime until 2049, GeneralizedTime after (RFC 5280, 4.1.2.5). */
function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]/g, '').slice(0, 14)
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`))
}
