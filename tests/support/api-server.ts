import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ApiRequest = {
  method: string
  /** Path and query as received. */
  path: string
  headers: IncomingHttpHeaders
  body: string
}
export type ApiAnswer = { status?: number; headers?: Record<string, string>; body?: unknown }

/** A local API server that records requests and answers as a test defines. */
export type ApiServer = {
  url: string
  asked: ApiRequest[]
  /** Sets the next answers; JSON unless it is text. */
  answer: (answer: ApiAnswer | ((request: ApiRequest) => ApiAnswer)) => void
  /** Returns the last request and clears the list. */
  take: () => ApiRequest
  close: () => Promise<void>
}

export async function startApiServer(): Promise<ApiServer> {
  const asked: ApiRequest[] = []
  let reply: (request: ApiRequest) => ApiAnswer = () => ({ body: { ok: true } })
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = request
    const seen = { method, path, headers, body: Buffer.concat(chunks).toString() }
    asked.push(seen)
    const { status = 200, headers: more = {}, body } = reply(seen)
    const isText = typeof body === 'string'
    const type = { 'content-type': isText ? 'text/plain' : 'application/json' }
    response.writeHead(status, { ...type, ...more }).end(isText ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (next) => {
      reply = typeof next === 'function' ? next : () => next
    },
    take: () => {
      const last = asked.pop()
      asked.length = 0
      if (!last) throw new Error('Nothing was asked.')
      return last
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
