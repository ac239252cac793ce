import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'

const KEY = 'key-of-the-resource-1234'
const SECRET = 'secret-of-the-application'
const entra = { tenant_id: 'contoso.example', client_id: '6f1c0b0e-0000-4000-8000-000000000001' }
let app: TestApp
let admin: TestUser
let server: Server
let origin: string
let seen: { url: string; key: unknown; bearer: unknown; text: string }[] = []
/** Seconds for which the next tokens are good. */
let expiresIn = 3600

const said = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop', index: 0 }] })}\n\ndata: [DONE]\n\n`
const refuses = (status: number, message: string, code = String(status)): [number, string] => [
  status,
  JSON.stringify({ error: { code, message } }),
]

function issueToken(text: string): [number, string] {
  const form = new URLSearchParams(text)
  if (form.get('client_secret') !== SECRET)
    return [
      401,
      JSON.stringify({ error: 'invalid_client', error_description: 'AADSTS7000215: Wrong.\r\nTrace' }),
    ]
  const number = seen.filter(({ url }) => url.endsWith('/token')).length
  return [200, JSON.stringify({ access_token: `token-${number}`, expires_in: expiresIn })]
}

/** A resource with one deployment, `gpt4o`, and the token endpoint of Entra ID. */
function answer({ url, key, bearer, text }: (typeof seen)[number]): [number, string] {
  const { pathname, searchParams } = new URL(url, 'http://x')
  if (pathname === `/login/${entra.tenant_id}/oauth2/v2.0/token`) return issueToken(text)
  if (key !== KEY && !/^Bearer token-\d$/.test(String(bearer))) return refuses(401, 'Access denied')
  if (pathname === '/openai/v1/models' || (pathname === '/openai/models' && searchParams.has('api-version')))
    return [200, '{"object":"list","data":[{"id":"gpt-4"},{"id":"dall-e-3"}]}']
  const dated = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/.exec(pathname)?.[1]
  if (dated !== undefined && searchParams.get('api-version') !== '2024-10-21')
    return refuses(404, 'Resource not found')
  const isUndated = pathname === '/openai/v1/chat/completions' && !searchParams.has('api-version')
  const name = dated ?? (isUndated ? JSON.parse(text).model : undefined)
  if (name === 'gpt4o') return [200, said]
  return name
    ? refuses(404, 'The API deployment does not exist.', 'DeploymentNotFound')
    : refuses(404, 'Resource not found')
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { url = '', headers } = request
    const one = { url, key: headers['api-key'], bearer: headers.authorization, text }
    seen.push(one)
    const [status, body] = answer(one)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  app = await startApp()
  admin = await aUser(app, { role: 'super_admin' })
})
afterEach(async () => {
  seen = []
  await app.deps.db.deleteFrom('model_connections').execute()
  app.deps.models.refresh()
})
afterAll(async () => {
  await app.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const send = async (path: string, more: object) => {
  const url = `/api/v1/model-connections${path}`
  const payload = { name: 'Azure', kind: 'azure', base_url: origin, api_key: KEY, ...more }
  return (await app.http.inject({ method: 'POST', url, headers: admin.headers, payload })).json()
}
const ask = async () => {
  let text = ''
  const content = [{ type: 'text' as const, text: 'Hi' }]
  const call = { messages: [{ role: 'user' as const, content }], tools: [], tool_choice: 'auto' as const }
  await app.deps.models.stream('azure/gpt4o', call, AbortSignal.timeout(5_000), (part) => {
    if (part.type === 'text') text += part.text
  })
  return text
}
const chats = () => seen.filter(({ url }) => url.includes('/chat/completions'))
const tokens = () => seen.filter(({ url }) => url.endsWith('/token'))

describe('an Azure OpenAI resource', () => {
  const model_ids = ['gpt4o']
  it.each<[string, { base_url?: string; api_version?: string; model_ids?: string[] }, string, string | null]>(
    [
      ['the v1 API', {}, '/openai/v1/chat/completions', null],
      ['the v1 API by its address', { base_url: '/openai/v1/' }, '/openai/v1/chat/completions', 'v1'],
      [
        'a dated API',
        { api_version: '2024-10-21' },
        '/openai/deployments/gpt4o/chat/completions?api-version=2024-10-21',
        '2024-10-21',
      ],
      [
        'the address of a deployment',
        { base_url: '/openai/deployments/gpt4o/chat/completions?api-version=2024-10-21', model_ids: [] },
        '/openai/deployments/gpt4o/chat/completions?api-version=2024-10-21',
        '2024-10-21',
      ],
    ],
  )('is called by its deployments: %s', async (_, more, url, version) => {
    const given = { model_ids, ...more, base_url: `${origin}${more.base_url ?? ''}` }
    expect(await send('/test', given)).toMatchObject({ ok: true, models: ['gpt4o'], lists_models: false })
    expect(await send('', given)).toMatchObject({
      ...{ provider: 'azure', base_url: origin, api_version: version, model_ids, status: 'ok' },
      models: [{ id: 'azure/gpt4o' }],
    })
    expect(await ask()).toBe('Hi')
    expect(chats().at(-1)).toMatchObject({ url, key: KEY, bearer: undefined })
  })

  it('says which deployment it does not know, and that a key is wrong', async () => {
    const unknown = await send('/test', { model_ids: ['gpt4o', 'gpt5'] })
    expect(unknown).toMatchObject({ ok: false })
    expect(unknown.detail).toContain('The API deployment does not exist.')
    const refused = await send('/test', { model_ids, api_key: 'another-key-1234' })
    expect(refused.detail).toBe('The model provider refused the key: Access denied')
  })

  it('cannot be connected without an address', async () => {
    expect(await send('', { base_url: null, model_ids })).toMatchObject({ code: 'invalid' })
  })
})

describe('an application of Entra ID', () => {
  const given = (more: object = {}) => ({
    ...{ model_ids: ['gpt4o'], api_key: SECRET, entra: { ...entra, authority: `${origin}/login/` } },
    ...more,
  })

  it('signs in once for many calls, with its secret for a token', async () => {
    expiresIn = 3600
    const made = await send('', given())
    expect(made).toMatchObject({ status: 'ok', entra })
    expect(JSON.stringify(made)).not.toContain(SECRET)
    expect([await ask(), await ask()]).toEqual(['Hi', 'Hi'])
    expect(chats().map(({ bearer, key }) => [bearer, key])).toEqual([
      ['Bearer token-1', undefined],
      ['Bearer token-1', undefined],
    ])
    expect(Object.fromEntries(new URLSearchParams(tokens()[0]?.text))).toEqual({
      grant_type: 'client_credentials',
      client_id: entra.client_id,
      client_secret: SECRET,
      scope: 'https://cognitiveservices.azure.com/.default',
    })
    expect(tokens()).toHaveLength(1)
  })

  it('gets another token before the old one expires', async () => {
    expiresIn = 299
    await send('', given({ entra: { ...entra, authority: `${origin}/login`, client_id: 'short-lived' } }))
    await ask()
    await ask()
    expect(tokens().length).toBeGreaterThan(2)
    expect(new Set(chats().map(({ bearer }) => bearer)).size).toBe(2)
  })

  it('reports a wrong secret with the message of Entra ID', async () => {
    expect(await send('/test', given({ api_key: 'wrong-secret' }))).toMatchObject({
      ok: false,
      detail: 'The model provider refused the key: AADSTS7000215: Wrong.',
    })
  })
})
