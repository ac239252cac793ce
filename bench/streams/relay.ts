import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import { createParser } from 'eventsource-parser'

/**
 * The floor: the least work of a server that parses what it relays. It parses every event and its JSON and writes it again
 * as one of our events. No database, no accounts, no storage.
 */
const provider = process.env.PROVIDER_URL ?? ''

const server = createServer(relay)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('disconnect', () => process.exit(0))

function relay(incoming: IncomingMessage, response: ServerResponse): void {
  const upstream = openRequest(
    `${provider}/chat/completions`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, agent: false },
    (answer) => pass(answer, response),
  )
  upstream.on('error', () => response.destroy())
  incoming.pipe(upstream)
}

function pass(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let id = 0
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') return
      const content = JSON.parse(data).choices[0]?.delta.content
      if (!content) return
      id += 1
      response.write(
        `id: ${id}\nevent: response_chunk\ndata: ${JSON.stringify({ event: 'response_chunk', content })}\n\n`,
      )
    },
  })
  answer.setEncoding('utf8')
  answer.on('data', (text: string) => parser.feed(text))
  answer.on('end', () => response.end())
  answer.on('error', () => response.destroy())
}
