import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** Starts a server on a free loopback port. Returns the port. */
async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  return (server.address() as AddressInfo).port
}

const lists =
  (owned_by: string, ...ids: string[]): RequestListener =>
  ({ url }, response) => {
    response.writeHead(url === '/v1/models' ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ object: 'list', data: ids.map((id) => ({ id, object: 'model', owned_by })) }),
    )
  }

async function start(ports: readonly number[] | 'off'): Promise<TestApp> {
  const app = await startApp({ config: { ATRIUM_LOCAL_MODEL_PORTS: String(ports) } })
  open.push(() => app.close())
  return app
}

async function ask(app: TestApp, role: 'super_admin' | 'company_admin' | 'member' = 'super_admin') {
  const user = await aUser(app, { role })
  const url = '/api/v1/model-connections/local'
  const answer = await app.http.inject({ method: 'GET', url, headers: user.headers })
  return { status: answer.statusCode, found: answer.json() as unknown, user }
}

describe('the discovery of local model servers', () => {
  it('identifies servers by their answers and stores nothing before they are connected', async () => {
    const [ollama, studio, llama, vllm] = await Promise.all([
      listen(lists('library', 'llama3.2:3b', 'qwen3:8b')),
      listen(lists('organization_owner', 'gemma-3')),
      listen(lists('llamacpp', 'model.gguf')),
      listen(lists('vllm')),
    ])
    const app = await start([ollama, studio, llama, vllm])
    const { found, user } = await ask(app)
    const at = (port: number) => `http://127.0.0.1:${port}/v1`
    expect(found).toEqual([
      { name: 'Ollama', kind: 'compatible', base_url: at(ollama), models: 2 },
      { name: 'LM Studio', kind: 'compatible', base_url: at(studio), models: 1 },
      { name: 'llama.cpp', kind: 'compatible', base_url: at(llama), models: 1 },
      { name: 'Local server', kind: 'compatible', base_url: at(vllm), models: 0 },
    ])
    expect(await app.deps.models.connections()).toEqual([])
    const payload = { name: 'Ollama', kind: 'compatible', base_url: `http://localhost:${ollama}/v1` }
    await app.http.inject({
      method: 'POST',
      url: '/api/v1/model-connections',
      headers: user.headers,
      payload,
    })
    expect((await app.deps.models.list()).map(({ id }) => id)).toContain('ollama/llama3.2:3b')
    expect(JSON.stringify((await ask(app)).found)).not.toContain(at(ollama))
  })

  it('lists servers for super admins only and probes no port for other roles', async () => {
    let asked = 0
    const port = await listen((request, response) => {
      asked += 1
      lists('library', 'a')(request, response)
    })
    const app = await start([port])
    for (const role of ['company_admin', 'member'] as const) expect((await ask(app, role)).status).toBe(403)
    expect(asked).toBe(0)
  })

  it('skips silent, redirecting and unrelated servers without waiting for them', async () => {
    let followed = 0
    const elsewhere = await listen((_, response) => {
      followed += 1
      response.end()
    })
    const ports = await Promise.all([
      listen(() => undefined),
      listen((_, response) =>
        response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}/v1/models` }).end(),
      ),
      listen((_, response) => response.end('<!doctype html>')),
      listen((_, response) => response.end(JSON.stringify({ models: [] }))),
      listen((_, response) =>
        response.end(`{"object":"list","data":[${'{"id":"a"},'.repeat(200_000)}{"id":"a"}]}`),
      ),
    ])
    const app = await start(ports)
    const user = await aUser(app, { role: 'super_admin' })
    const started = performance.now()
    const url = '/api/v1/model-connections/local'
    const { body } = await app.http.inject({ method: 'GET', url, headers: user.headers })
    expect(body).toBe('[]')
    expect(performance.now() - started).toBeLessThan(2000)
    expect(followed).toBe(0)
  })

  it('finds no server when the setting is off', async () => {
    expect((await ask(await start('off'))).found).toEqual([])
  })
})
