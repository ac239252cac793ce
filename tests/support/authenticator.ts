import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** Simulates a browser's passkey with a P-256 key. `verifies` is whether it asks for a fingerprint or PIN. */
export function anAuthenticator({ origin, verifies = true }: { origin: string; verifies?: boolean }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest()
  let counter = 0
  const head = (flags: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([rpIdHash, Buffer.from([flags | 1 | (verifies ? 4 : 0)]), count])
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const common = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
  }
  return {
    id: common.id,
    create: ({ challenge }: { challenge: string }) => {
      const key = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const authData = Buffer.concat([head(64), attested])
      const object = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, Cbor>()],
        ['authData', authData],
      ])
      return {
        ...common,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: cbor(object).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    sign: ({ challenge }: { challenge: string }) => {
      const data = clientData('webauthn.get', challenge)
      const authData = head(0)
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
      return {
        ...common,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
        },
      }
    },
  }
}

type Cbor = number | string | Buffer | Map<number, Cbor> | Map<string, Cbor>

/** Encodes the few CBOR types (RFC 8949) that an attestation uses. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? start(1, -1 - value) : start(0, value)
  if (typeof value === 'string') return Buffer.concat([start(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([start(2, value.length), value])
  const entries = [...(value as Map<number, Cbor>)].flatMap(([key, one]) => [cbor(key), cbor(one)])
  return Buffer.concat([start(5, value.size), ...entries])
}

function start(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  return size < 256
    ? Buffer.from([(major << 5) | 24, size])
    : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
