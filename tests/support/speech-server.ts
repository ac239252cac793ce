import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SpeechServer = {
  /** Base URL for `ATRIUM_COMPATIBLE_URL`. */
  url: string
  /** What was sent, as it came over the wire. */
  requests: { path: string; authorization: string | undefined; body: string }[]
  /** From now on it answers this. */
  answer: (status: number, body: string) => void
  /** From now on it listens and says nothing. */
  hang: () => void
  /** How many hung up before they had an answer. */
  cutOff: () => number
  close: () => Promise<void>
}

/** A speech engine on OpenAI's wire that says what the test wants. */
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
