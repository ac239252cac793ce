import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type S3Server = {
  url: string
  /** Stored objects, by bucket and key. */
  objects: Map<string, Buffer>
  /** Number of started multipart uploads that were neither completed nor aborted. */
  openUploads: () => number
  /** Makes every call answer with this status; 0 closes the connection. Null restores normal answers. */
  fail: (status: number | null) => void
  /** Makes it overwrite existing objects despite conditions. */
  ignoreConditions: (isOn?: boolean) => void
  close: () => void
}

/** Starts a local S3 with objects and multipart uploads, enough for the file store. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  let failure: number | null = null
  let isCareless = false
  let count = 0

  const answer = (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://s3')
    const key = decodeURIComponent(url.pathname)
    const upload = url.searchParams.get('uploadId')
    if (failure !== null) return failure === 0 ? response.destroy() : sendError(response, failure)
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      count += 1
      uploads.set(String(count), new Map())
      return sendXml(
        response,
        `<InitiateMultipartUploadResult><UploadId>${count}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (upload !== null) {
      const parts = uploads.get(upload)
      if (!parts) return sendError(response, 404)
      if (request.method === 'PUT') {
        parts.set(Number(url.searchParams.get('partNumber')), body)
        return response.writeHead(200, { etag: '"part"' }).end()
      }
      uploads.delete(upload)
      if (request.method === 'DELETE') return response.writeHead(204).end()
      const inOrder = [...parts].sort(([one], [other]) => one - other).map(([, bytes]) => bytes)
      objects.set(key, Buffer.concat(inOrder))
      return sendXml(
        response,
        '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>',
      )
    }
    if (request.method === 'PUT') {
      const isCreation = request.headers['if-none-match'] === '*'
      if (isCreation && objects.has(key) && !isCareless) return sendError(response, 412)
      objects.set(key, body)
      return response.writeHead(200, { etag: '"1"' }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    if (url.searchParams.get('list-type') === '2')
      return sendList(response, `${key.replace(/\/$/, '')}/`, objects)
    return sendObject(request, response, objects.get(key))
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    answer(request, Buffer.concat(chunks), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    openUploads: () => uploads.size,
    fail: (status) => {
      failure = status
    },
    ignoreConditions: (isOn = true) => {
      isCareless = isOn
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function sendObject(request: IncomingMessage, response: ServerResponse, found: Buffer | undefined): void {
  if (!found) {
    response.writeHead(404, { 'content-type': 'application/xml' })
    return void response.end(request.method === 'HEAD' ? undefined : '<Error><Code>NoSuchKey</Code></Error>')
  }
  const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '')
  const body = range ? found.subarray(Number(range[1]), Number(range[2]) + 1) : found
  response.writeHead(range ? 206 : 200, { 'content-length': body.length, etag: '"1"' })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function sendList(response: ServerResponse, bucket: string, objects: Map<string, Buffer>): void {
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(bucket))
    .map((key) => key.slice(bucket.length))
  const items = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
  sendXml(response, `<ListBucketResult><IsTruncated>false</IsTruncated>${items}</ListBucketResult>`)
}

function sendXml(response: ServerResponse, xml: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(xml)
}

function sendError(response: ServerResponse, status: number): void {
  const code = errorCodes[status] ?? 'InternalError'
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

const errorCodes: Record<number, string> = { 403: 'AccessDenied', 412: 'PreconditionFailed' }
