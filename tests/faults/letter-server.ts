import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type LetterServer = {
  url: string
  /** How often each letter was sent, by the id of the call. */
  sent: Map<string, number>
  close: () => void
}

/** How long it takes before, and after, a letter is sent: a kill comes in between as often as not. */
const HALF_MS = 100

/** Counts what the tool `send_letter` really does; what has come in is done, whoever waits for the answer. */
export async function startLetterServer(): Promise<LetterServer> {
  const sent = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { id } = JSON.parse(text) as { id: string }
    await sleep(HALF_MS)
    sent.set(id, (sent.get(id) ?? 0) + 1)
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
