import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import type { Usage } from '../port.ts'

let app: TestApp
let provider: Server
const asked: string[] = []
/** Embeds without reporting its usage, and never lists its models. */
beforeAll(async () => {
  provider = createServer((request, response) => {
    asked.push(String(request.url))
    if (!request.url?.endsWith('/embeddings')) return
    response.setHeader('content-type', 'application/json')
    request.resume().on('end', () => response.end('{"data":[{"index":0,"embedding":[0.5,1]}]}'))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  app = await startApp({ config: { ATRIUM_COMPATIBLE_URL: url, ATRIUM_COMPATIBLE_NAME: 'house' } })
})
afterAll(async () => {
  provider.closeAllConnections()
  await app.close()
  provider.close()
})

it('embeds a text without asking for the model list or waiting until its usage is counted', async () => {
  const bills: Promise<Usage>[] = []
  const order: string[] = []
  const { signal } = new AbortController()
  const embed = (await app.deps.models.embedders())('house/small')
  const vectors = await embed(['the rent is due'], signal, 'query', (usage) => {
    bills.push(usage)
    void usage.then(() => order.push('counted'))
  })
  order.push('embedded')
  expect(vectors).toEqual([[0.5, 1]])
  expect(asked).toEqual(['/v1/embeddings'])
  const [usage] = await Promise.all(bills)
  expect(usage).toMatchObject({ input_tokens: expect.any(Number), estimated: true })
  expect(usage?.input_tokens).toBeGreaterThan(0)
  expect(order).toEqual(['embedded', 'counted'])
})

it('finds a reranker without asking for the model list', async () => {
  await app.deps.models.findReranker('house/rerank')
  expect(asked).toEqual(['/v1/embeddings'])
})
