import { randomUUID } from 'node:crypto'
import { signUp } from '../../tests/support/account.ts'
import type { StreamRequest } from './reader.ts'
import { askFor } from './token.ts'

/** The three routes of a stream: directly from the provider, through the bare relay, through the product. */
export type StreamRoute = (streams: number, tokens: number) => Promise<StreamRequest[]>

/** Directly from the provider, or through the relay, which accepts the same request. */
export function plainRoute(url: string): StreamRoute {
  return async (streams, tokens) => {
    const body = JSON.stringify({
      model: 'bench',
      stream: true,
      messages: [{ role: 'user', content: askFor(tokens) }],
    })
    return Array.from({ length: streams }, () => ({ url, token: null, body, tokens }))
  }
}

/** Through the product: a new conversation per stream, with its first message posted as an event stream. */
export async function productRoute(url: string, modelName: string): Promise<StreamRoute> {
  const account = await signUp(url)
  return async (streams, tokens) => {
    const requests: StreamRequest[] = []
    while (requests.length < streams) {
      const some = Array.from({ length: Math.min(16, streams - requests.length) }, async () => {
        const session = await account.call<{ id: string }>('POST', '/sessions', { model_name: modelName })
        return {
          url: `${url}/api/v1/sessions/${session.id}/messages`,
          token: account.token,
          body: JSON.stringify({ content: askFor(tokens), client_id: randomUUID() }),
          tokens,
        }
      })
      requests.push(...(await Promise.all(some)))
    }
    return requests
  }
}
