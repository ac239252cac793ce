import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Asked, type SourceServer, startSourceServer } from '#tests/sources/source-server.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { ItemRefused, type SourceContext } from '../define-connector.ts'
import { type JsonRequests, requestsTo, signIn } from './json-requests.ts'

const outbound = createOutbound()
let server: SourceServer
let requests: JsonRequests
let asked: Asked | undefined
let answer: { json?: unknown; bytes?: string; status?: number; headers?: Record<string, string> }
beforeAll(async () => {
  server = await startSourceServer((request) => {
    asked = request
    return answer
  })
  const elsewhere = server.url.replace('127.0.0.1', 'localhost')
  const config = { ATRIUM_TOOLS_PRIVATE: [server.url, elsewhere] } as unknown as SourceContext['config']
  const { signal } = new AbortController()
  const context = { settings: {}, config, outbound, maxBytes: 1_000, signal, mirrors: false, account: null }
  requests = requestsTo(context, `${server.url}/base`, signIn(undefined, 'secret'))
})
afterAll(async () => {
  server.close()
  await outbound.close()
})

const list = (values: number) => ({ results: Array.from({ length: values }, (_, at) => at) })
const List = z.object({ results: z.array(z.number()) })

describe('requests to a source', () => {
  it('read a list with 100,000 values, and refuse one with far more', async () => {
    answer = { json: list(100_000) }
    expect((await requests.ask('list', List)).results).toHaveLength(100_000)
    answer = { json: list(400_000) }
    await expect(requests.ask('list', List)).rejects.toMatchObject({ code: 'too_large' })
  })

  it('report an answer that is no JSON, or other JSON', async () => {
    answer = { bytes: '<html>Sign in</html>' }
    await expect(requests.ask('list', List)).rejects.toMatchObject({ code: 'unavailable' })
    answer = { json: { results: 'none' } }
    await expect(requests.ask('list', List)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it.each(['http://127.0.0.1:9/file', '../../other', 'https://example.com/', '/../x'])(
    'go to no path outside of the address, such as %s',
    async (path) => {
      answer = { json: list(1) }
      asked = undefined
      await expect(requests.download(path, AbortSignal.timeout(5_000))).rejects.toBeInstanceOf(ItemRefused)
      expect(asked).toBeUndefined()
    },
  )

  it('send no sign-in to another host that a download is redirected to', async () => {
    const location = `${server.url.replace('127.0.0.1', 'localhost')}/file`
    server.fault = ({ path }) => (path === '/file' ? null : { status: 302, headers: { location } })
    answer = { bytes: 'The file.' }
    const file = await requests.download('/file-of-page', AbortSignal.timeout(5_000))
    server.fault = () => null
    expect([await text(file), asked?.path, asked?.authorization]).toEqual(['The file.', '/file', ''])
  })

  it('follow no redirect of a question, which would go without its sign-in', async () => {
    answer = { status: 302, headers: { location: `${server.url}/base/other` } }
    await expect(requests.ask('list', List)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('end at the time limit of an item while they wait for the source', async () => {
    answer = { status: 429, headers: { 'retry-after': '30' } }
    const options = { isFurther: true, signal: AbortSignal.timeout(200) }
    await expect(requests.ask('list', List, options)).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
