import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSigned } from './providers/aws-signature.ts'

type Stored = { text: string; storage?: 'GLACIER' }
type Failure = { status: number; code: string; headers?: Record<string, string> }

/** A bucket named `files` as S3 answers for it. It refuses a request that is not signed with its keys. */
export type BucketServer = {
  url: string
  objects: Map<string, Stored>
  keys: { id: string; secret: string; region: string }
  /** Keys that are no UTF-8, percent-encoded. They are listed on the first page. */
  hidden: string[]
  /** Objects of a page. */
  pageSize: number
  /** Returns how to fail a request; null to answer it. */
  fault: (request: { key: string; query: URLSearchParams }) => Failure | null
  /** Methods of all requests. */
  methods: Set<string>
  /** Number of reads by key. */
  reads: Map<string, number>
  close: () => void
}

export async function startBucketServer(): Promise<BucketServer> {
  const server = createServer((request, response) => {
    request.resume()
    const { method = '', url = '', headers } = request
    bucket.methods.add(method)
    const { pathname, searchParams: query } = new URL(url, 'http://x')
    const key = decodeURIComponent(pathname.replace(/^\/files\/?/, ''))
    const send = (status: number, xml: string, more: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/xml', ...more }).end(xml)
    const refuse = ({ status, code, headers: more = {} }: Failure) =>
      send(status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`, more)
    if (!pathname.startsWith('/files')) return refuse({ status: 404, code: 'NoSuchBucket' })
    const seen = { method, url, headers, text: '' }
    if (!(headers.authorization ?? '').includes(`Credential=${bucket.keys.id}/`))
      return refuse({ status: 403, code: 'InvalidAccessKeyId' })
    if (!isSigned(seen, { ...bucket.keys, service: 's3' }))
      return refuse({ status: 403, code: 'SignatureDoesNotMatch' })
    const failure = bucket.fault({ key, query })
    if (failure) return refuse(failure)
    if (query.has('list-type')) return send(200, list(bucket, query))
    bucket.reads.set(key, (bucket.reads.get(key) ?? 0) + 1)
    const found = bucket.objects.get(key)
    if (!found) return refuse({ status: 404, code: 'NoSuchKey' })
    if (found.storage) return refuse({ status: 403, code: 'InvalidObjectState' })
    return response.writeHead(200).end(found.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bucket: BucketServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: { id: 'AKIAFILES', secret: 'sesame', region: 'eu-west-3' },
    ...{
      objects: new Map(),
      hidden: [],
      pageSize: 1000,
      fault: () => null,
      methods: new Set(),
      reads: new Map(),
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return bucket
}

const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%2F', '/')
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Answers ListObjectsV2. A continuation token is the last key or prefix. */
function list({ objects, hidden, pageSize }: BucketServer, query: URLSearchParams): string {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? '']
  const token = query.get('continuation-token')
  const start = token ? Buffer.from(token, 'base64url').toString() : (query.get('start-after') ?? '')
  const rows = new Map<string, string>()
  for (const key of [...objects.keys()].sort(byBytes)) {
    if (!key.startsWith(prefix)) continue
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    const name = end === -1 ? key : key.slice(0, end + 1)
    if (byBytes(name, start) <= 0) continue
    rows.set(name, end === -1 ? contents(key, objects.get(key)?.text ?? '') : common(name))
  }
  const limit = Math.min(Number(query.get('max-keys') ?? 1000), pageSize)
  const page = [...rows].slice(0, limit)
  const isTruncated = rows.size > page.length
  const next = isTruncated
    ? `<NextContinuationToken>${Buffer.from(page.at(-1)?.[0] ?? '').toString('base64url')}</NextContinuationToken>`
    : ''
  const others = start === '' ? hidden.map((key) => contents(key, key, 'as is')) : []
  return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>files</Name>
    <EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${next}${page.map(([, xml]) => xml).join('')}${others.join('')}</ListBucketResult>`
}

const common = (name: string) => `<CommonPrefixes><Prefix>${encode(name)}</Prefix></CommonPrefixes>`

function contents(key: string, text: string, form = ''): string {
  const etag = createHash('md5').update(text).digest('hex')
  return `<Contents><Key>${form ? key : encode(key)}</Key><LastModified>2026-11-02T10:00:00.000Z</LastModified>
    <ETag>&quot;${etag}&quot;</ETag><Size>${Buffer.byteLength(text)}</Size><StorageClass>STANDARD</StorageClass></Contents>`
}
