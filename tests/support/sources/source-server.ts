import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to a recorded source. `body` is parsed JSON, or null. */
export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  authorization: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape of a request body depends on the source.
  body: any
}
export type Answered = {
  status?: number
  json?: unknown
  bytes?: string
  headers?: Record<string, string>
}

/** A server that answers as the interface of a source does. */
export type SourceServer = {
  url: string
  /** Requests in order: method, path and query. */
  requests: string[]
  /** Returns the answer to give in place of the real one, or null. */
  fault: (request: Asked) => Answered | null
  /** Runs after a request took effect and before it is answered. */
  beforeAnswer: (request: Asked) => Promise<void>
  /** Items of a page. */
  pageSize: number
  /** True to answer every list with the same cursor again. */
  repeats: boolean
  close: () => void
}

export async function startSourceServer(
  handle: (request: Asked, server: SourceServer) => Answered,
): Promise<SourceServer> {
  const server: SourceServer = {
    ...{ url: '', requests: [], fault: () => null, pageSize: 4, repeats: false },
    beforeAnswer: async () => undefined,
    close: () => {
      listening.closeAllConnections()
      listening.close()
    },
  }
  const listening = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', server.url)
    const text = Buffer.concat(chunks).toString()
    const asked: Asked = {
      ...{ method: request.method ?? '', path: decodeURI(url.pathname), query: url.searchParams },
      authorization: request.headers.authorization ?? '',
      body: text === '' ? null : parse(text),
    }
    server.requests.push(`${asked.method} ${asked.path}${url.search}`)
    const answer = server.fault(asked) ?? handle(asked, server)
    await server.beforeAnswer(asked)
    const type = answer.json === undefined ? 'application/octet-stream' : 'application/json'
    response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers })
    response.end(answer.json === undefined ? (answer.bytes ?? '') : JSON.stringify(answer.json))
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  server.url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  return server
}

/** Forms are read like JSON objects. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return Object.fromEntries(new URLSearchParams(text))
  }
}

/** Returns a page of a list behind a cursor, with the cursor behind it. */
export function pageOf<T>(
  { pageSize, repeats }: SourceServer,
  all: readonly T[],
  cursor: string | null | undefined,
): { items: T[]; next: string | null } {
  const start = Number(cursor ?? 0)
  if (repeats) return { items: all.slice(0, pageSize), next: cursor ?? '0' }
  const end = start + pageSize
  return { items: all.slice(start, end), next: end < all.length ? String(end) : null }
}
