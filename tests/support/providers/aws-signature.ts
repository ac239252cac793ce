import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request as it arrived. */
export type Seen = { method: string; url: string; headers: IncomingHttpHeaders; text: string }

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

/** AWS Signature Version 4, worked out from what arrived. */
export function isSigned(
  { method, url, headers, text }: Seen,
  { id, secret, region }: { id: string; secret: string; region: string },
): boolean {
  const [, names = '', signature] =
    /SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? '') ?? []
  const date = String(headers['x-amz-date'])
  const scope = `${date.slice(0, 8)}/${region}/bedrock/aws4_request`
  const { pathname, searchParams } = new URL(url, 'http://x')
  searchParams.sort()
  // Outside of S3 the encoded path is encoded once more.
  const path = pathname.split('/').map(encodeURIComponent).join('/')
  const signed = names.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const canonical = [method, path, searchParams.toString(), signed.join(''), names, sha(text)].join('\n')
  const key = ['aws4_request', 'bedrock', region, date.slice(0, 8)].reduceRight<Buffer | string>(
    (made, part) => hmac(made, part),
    `AWS4${secret}`,
  )
  const wanted = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha(canonical)].join('\n')).toString('hex')
  return signature === wanted && (headers.authorization ?? '').includes(`Credential=${id}/${scope}`)
}
