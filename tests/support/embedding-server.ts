import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Request = { model: string; input: string[] }

export type EmbeddingServer = {
  /** For `ATRIUM_COMPATIBLE_URL`. */
  url: string
  /** Returns the number of texts embedded so far. */
  texts: () => number
  close: () => void
}

/** Starts an embedding provider on the OpenAI wire with vectors defined by the test. */
export async function startEmbeddingServer(
  vectorOf: (text: string, model: string) => ArrayLike<number> | Promise<ArrayLike<number>>,
): Promise<EmbeddingServer> {
  let texts = 0
  const answer = async (request: IncomingMessage) => {
    if (!request.url?.endsWith('/embeddings')) return { object: 'list', data: [{ id: 'one' }, { id: 'two' }] }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { model, input } = JSON.parse(Buffer.concat(chunks).toString()) as Request
    texts += input.length
    const vectors = await Promise.all(input.map((text) => vectorOf(text, model)))
    return { data: vectors.map((vector, index) => ({ index, embedding: Array.from(vector) })) }
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.writeHead(500).end('{}'),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    texts: () => texts,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
