import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request as it arrived. */
export type Seen = { method: string; url: string; headers: IncomingHttpHeaders; text: string }

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

/** Encodes all characters but the unreserved ones of RFC 3986. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** AWS Signature Version 4, worked out from what arrived. */
export function isSigned(
  { method, url, headers, text }: Seen,
  {
    id,
    secret,
    region,
    service = 'bedrock',
  }: { id: string; secret: string; region: string; service?: 'bedrock' | 's3' },
): boolean {
  const [, names = '', signature] =
    /SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? '') ?? []
  const date = String(headers['x-amz-date'])
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`
  const { pathname, searchParams } = new URL(url, 'http://x')
  const query = [...searchParams].map((pair) => pair.map(encode).join('=')).sort()
  // Outside of S3 the encoded path is encoded once more, and the body counts.
  const isS3 = service === 's3'
  const path = isS3
    ? pathname.split('/').map(decodeURIComponent).map(encode).join('/')
    : pathname.split('/').map(encodeURIComponent).join('/')
  const hash = isS3 ? String(headers['x-amz-content-sha256']) : sha(text)
  const signed = names.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const canonical = [method, path, query.join('&'), signed.join(''), names, hash].join('\n')
  const key = ['aws4_request', service, region, date.slice(0, 8)].reduceRight<Buffer | string>(
    (made, part) => hmac(made, part),
    `AWS4${secret}`,
  )
  const wanted = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha(canonical)].join('\n')).toString('hex')
  return signature === wanted && (headers.authorization ?? '').includes(`Credential=${id}/${scope}`)
}
