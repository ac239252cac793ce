import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelError } from '../port.ts'
import { listModels, readModel } from './list-models.ts'

let server: Server
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function list(answer: unknown): Promise<string[] | string> {
  server = createServer((request, response) => {
    const isList = request.url?.startsWith('/v1/models')
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' })
    response.end(isList ? (answer instanceof Buffer ? answer : JSON.stringify(answer)) : '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  try {
    const listed = await listModels('compatible', { provider: 'x', base_url, api_key: null })
    return listed.map(({ id }) => id)
  } catch (error) {
    return (error as ModelError).kind
  }
}

describe('listModels', () => {
  it.each<[string, unknown]>([
    ['a bare list', [{ id: 'a' }, { id: 'b' }]],
    ['names', { data: ['a', 'b'] }],
    ['objects packed as texts', ['{"id":"a"}', '{"modelId":"b"}']],
    ['another field', { models: [{ name: 'a' }, { model: 'b' }] }],
    ['a list inside a list', { data: { models: [{ id: 'a' }, { id: 'b' }] } }],
    ['an envelope', { success: true, result: [{ id: 'a' }, { name: 'b' }] }],
    ['empty items among others', { data: [null, { id: 'a' }, {}, { id: '' }, 'b', []] }],
    ['ids that are too long to choose', { data: [{ id: 'a' }, { id: 'x'.repeat(301) }, { id: 'b' }] }],
    ['repeated models', { data: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] }],
    ['a compressed list', gzipSync(JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }] }))],
    ['a list compressed twice', gzipSync(gzipSync(JSON.stringify({ data: ['a', 'b'] })))],
    ['blanks around names', { data: [' a ', { id: 'b\n' }] }],
  ])('reads %s', async (_, answer) => {
    expect(await list(answer)).toEqual(['a', 'b'])
  })

  it('accepts an empty list', async () => {
    expect(await list({ object: 'list', data: null })).toEqual([])
  })

  it.each([{ status: 'ok' }, null, 'ok', 42])('refuses an answer that is no list: %j', async (answer) => {
    expect(await list(answer)).toBe('wrong_address')
  })

  it.each([
    { context_length: '8192' },
    { context_size: 8192 },
    { metadata: { context_length: 8192 } },
    { capabilities: { limits: { max_context_window_tokens: 8192 } } },
    { max_context_length: 131_072, loaded_context_length: 8192 },
  ])('reads the window of %j', (more) => {
    expect(readModel('compatible', { id: 'a', ...more })[0]?.context_tokens).toBe(8192)
  })
})
