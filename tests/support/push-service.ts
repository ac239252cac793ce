import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A message as a browser receives it. */
type Received = { message: Record<string, unknown>; headers: IncomingHttpHeaders }

/** Push service of a browser vendor, with its browsers. It decrypts as they do (RFC 8291) and checks signatures (RFC 8292). */
export async function startPushService() {
  const browsers = new Map<string, { secret: ReturnType<typeof createECDH>; auth: Buffer; got: Received[] }>()
  const answers: { status: number; headers?: Record<string, string> }[] = []
  let posts = 0
  const server = createServer(async (request, response) => {
    posts += 1
    const body = await buffer(request)
    const { status, headers = {} } = answers.shift() ?? { status: 201 }
    const browser = browsers.get(request.url ?? '')
    if (browser && status === 201)
      browser.got.push({ message: JSON.parse(decrypt(body, browser).toString()), headers: request.headers })
    response.writeHead(browser ? status : 410, headers).end(status === 201 ? '' : 'No.')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    posts: () => posts,
    /** Answers the next posts with these instead of 201. */
    answerNext: (...next: typeof answers) => answers.push(...next),
    /** A browser subscribes. */
    subscribe: () => {
      const secret = createECDH('prime256v1')
      const auth = randomBytes(16)
      const path = `/${randomBytes(8).toString('hex')}`
      const got: Received[] = []
      browsers.set(path, { secret, auth, got })
      const keys = { p256dh: secret.generateKeys('base64url'), auth: auth.toString('base64url') }
      return { endpoint: url + path, keys, got, withdraw: () => void browsers.delete(path) }
    },
    close: () => void server.close(),
  }
}

/** Decrypts one record of `aes128gcm` (RFC 8188): salt, record size, length of the key id, the sender's public key, ciphertext. */
function decrypt(
  body: Buffer,
  { secret, auth }: { secret: ReturnType<typeof createECDH>; auth: Buffer },
): Buffer {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), secret.getPublicKey(), sender])
  const shared = derive(secret.computeSecret(sender), auth, info, 32)
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2))
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** Returns the claims of the `Authorization` header, checked against the public key. @throws Error for a wrong signature */
export function readVapid(
  header: string | undefined,
  publicKey: string,
): { aud: string; sub: string; exp: number } {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header ?? '') ?? []
  if (key !== publicKey) throw new Error('the header names another key')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const [head = '', claims = '', signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the signature is wrong')
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}
