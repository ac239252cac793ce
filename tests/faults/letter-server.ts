import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type LetterServer = {
  url: string
  /** Text and count of each letter, by the id of the call. */
  sent: Map<string, { text: string; count: number }>
  close: () => void
}

/** Delay before and after a letter is sent, so that kills hit both sides equally often. */
const HALF_MS = 100

/** Counts the effects of the tool `send_letter`. A received letter counts as sent, even if the client has disconnected. */
export async function startLetterServer(): Promise<LetterServer> {
  const sent: LetterServer['sent'] = new Map()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, text } = JSON.parse(body) as { id: string; text: string }
    await sleep(HALF_MS)
    sent.set(id, { text, count: (sent.get(id)?.count ?? 0) + 1 })
    await sleep(HALF_MS)
    response.end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    sent,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
