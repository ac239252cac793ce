import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SpeechServer = {
  /** Base URL for `ATRIUM_COMPATIBLE_URL`. */
  url: string
  /** Received requests. */
  requests: { path: string; authorization: string | undefined; body: string }[]
  /** Sets the answer. */
  answer: (status: number, body: string) => void
  /** Makes it accept connections without answering. */
  hang: () => void
  /** Number of clients that disconnected before an answer. */
  cutOff: () => number
  close: () => Promise<void>
}

/** Starts a speech engine on OpenAI's wire with answers set by the test. */
export async function startSpeechServer(): Promise<SpeechServer> {
  const requests: SpeechServer['requests'] = []
  let cut = 0
  let next: { status: number; body: string } | null = {
    status: 200,
    body: JSON.stringify({ text: ' The blue one. ' }),
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET')
      return response.end(JSON.stringify({ object: 'list', data: [{ id: 'whisper-1', object: 'model' }] }))
    let body = ''
    for await (const chunk of request) body += (chunk as Buffer).toString('latin1')
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
    response.once('close', () => {
      if (!response.writableEnded) cut += 1
    })
    if (!next) return
    response.writeHead(next.status, { 'content-type': 'application/json' }).end(next.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer: (status, body) => {
      next = { status, body }
    },
    hang: () => {
      next = null
    },
    cutOff: () => cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
