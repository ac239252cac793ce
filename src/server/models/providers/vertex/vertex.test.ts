import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { json, streams } from '#tests/providers/scripted-answers.ts'
import { reach } from '../../models/configured.ts'
import type { ModelCall, ModelPart } from '../../models/port.ts'
import { providerOf } from '../../models/provider/providers.ts'

const API_KEY = 'AQ.Ab8RN6-express-key'
const GEMINI = 'gemini-2.5-flash'
const CLAUDE = 'claude-sonnet-4-5@20250929'
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

type Seen = { url: string; headers: IncomingHttpHeaders; text: string }
let app: TestApp
let admin: TestUser
let server: Server
let origin: string
let seen: Seen[] = []
let answers: ((response: ServerResponse) => void)[] = []
/** Makes each account unique, because tokens are cached per account. */
let accounts = 0
let expiresIn = 3600

const says = (...parts: object[]) => ({ candidates: [{ content: { role: 'model', parts } }] })
const ended = {
  candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: 10,
    candidatesTokenCount: 2,
    cachedContentTokenCount: 4,
    totalTokenCount: 12,
  },
}
const hi = streams(says({ text: 'H' }), says({ text: 'i' }), ended)
const refuses = (code: number, message: string, status: string) =>
  json({ error: { code, message, status } }, code)

const keyFile = (more: object = {}) => {
  accounts += 1
  return JSON.stringify(
    {
      ...{ type: 'service_account', project_id: 'own-project', private_key_id: 'k1' },
      ...{ private_key: privateKey, client_email: `atrium-${accounts}@own-project.iam.gserviceaccount.com` },
      ...{ token_uri: `${origin}/token`, ...more },
    },
    null,
    2,
  )
}

/** Returns the claims of an assertion after checking its signature. */
function readAssertion(text: string): Record<string, unknown> | null {
  const form = new URLSearchParams(text)
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const isRight =
    form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
    verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))
  return isRight ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : null
}

function answer({ url, headers, text }: Seen, response: ServerResponse): void {
  const { pathname } = new URL(url, 'http://x')
  if (pathname === '/token') {
    const isKnown = readAssertion(text)
    const token = {
      access_token: `ya29.token-${tokens().length}`,
      expires_in: expiresIn,
      token_type: 'Bearer',
    }
    const no = { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }
    return void (isKnown ? json(token) : json(no, 400))(response)
  }
  const isKnown =
    /^Bearer ya29\.token-\d+$/.test(headers.authorization ?? '') || headers['x-goog-api-key'] === API_KEY
  if (!isKnown)
    return void refuses(401, 'Request had invalid authentication credentials.', 'UNAUTHENTICATED')(response)
  if (pathname === '/v1beta1/publishers/google/models') {
    const names = [
      GEMINI,
      'gemini-embedding-001',
      'bert-base',
      'gemini-live-2.5-flash',
      'imagen-4.0-generate-001',
    ]
    const publisherModels = names.map((name) => ({ name: `publishers/google/models/${name}` }))
    return void json({ publisherModels: [null, ...publisherModels] })(response)
  }
  const next = answers.shift() ?? hi
  next(response)
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const one = { url: request.url ?? '', headers: request.headers, text }
    seen.push(one)
    answer(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  app = await startApp()
  admin = await aUser(app, { role: 'super_admin' })
})
afterEach(async () => {
  seen = []
  answers = []
  expiresIn = 3600
  await app.deps.db.deleteFrom('model_connections').execute()
  await app.deps.db.deleteFrom('model_adaptations').execute()
  app.deps.models.refresh()
})
afterAll(async () => {
  await app.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const send = async (path: string, more: object) => {
  const url = `/api/v1/model-connections${path}`
  const payload = { name: 'Google Vertex AI', kind: 'vertex', base_url: origin, ...more }
  return (await app.http.inject({ method: 'POST', url, headers: admin.headers, payload })).json()
}
const ask = async (more: Partial<ModelCall> = {}, modelId = GEMINI, signal = AbortSignal.timeout(10_000)) => {
  const parts: ModelPart[] = []
  const content = [{ type: 'text' as const, text: 'Hi' }]
  const call = {
    messages: [{ role: 'user' as const, content }],
    tools: [],
    tool_choice: 'auto' as const,
    ...more,
  }
  await app.deps.models.stream(`vertex/${modelId}`, call, signal, (part) => parts.push(part))
  return parts
}
const textOf = (parts: ModelPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
const chats = () => seen.filter(({ url }) => /stream|chat\/completions/.test(url))
const tokens = () => seen.filter(({ url }) => url === '/token')

describe('Vertex AI', () => {
  it('signs in once with the key file of a service account, and lists the models that Google serves', async () => {
    const api_key = keyFile()
    const options = { location: 'europe-west4' }
    expect(await send('/test', { api_key, options })).toMatchObject({
      ok: true,
      models: [GEMINI, 'imagen-4.0-generate-001'],
    })
    const made = await send('', { api_key, options })
    expect(made).toMatchObject({
      ...{ provider: 'vertex', status: 'ok', base_url: origin, options },
      models: [{ id: `vertex/${GEMINI}` }],
    })
    expect(JSON.stringify(made)).not.toContain('PRIVATE KEY')
    expect([textOf(await ask()), textOf(await ask())]).toEqual(['Hi', 'Hi'])
    expect(chats()[0]).toMatchObject({
      url: `/v1/projects/own-project/locations/europe-west4/publishers/google/models/${GEMINI}:streamGenerateContent?alt=sse`,
      headers: { authorization: 'Bearer ya29.token-1' },
    })
    expect(tokens()).toHaveLength(1)
    expect(readAssertion(tokens()[0]?.text ?? '')).toMatchObject({
      iss: `atrium-${accounts}@own-project.iam.gserviceaccount.com`,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${origin}/token`,
    })
  })

  it('requests a new token before the old one expires', async () => {
    expiresIn = 299
    await send('', { api_key: keyFile() })
    await ask()
    await ask()
    expect(new Set(chats().map(({ headers }) => headers.authorization)).size).toBe(2)
  })

  it('calls Gemini with an API key of the express mode and models typed by hand', async () => {
    expect(await send('/test', { api_key: API_KEY })).toMatchObject({ ok: false, lists_models: false })
    const given = { api_key: API_KEY, model_ids: [GEMINI] }
    expect(await send('/test', given)).toMatchObject({ ok: true, models: [GEMINI], lists_models: false })
    await send('', given)
    expect(textOf(await ask())).toBe('Hi')
    expect(chats().at(-1)).toMatchObject({
      url: `/v1/publishers/google/models/${GEMINI}:streamGenerateContent?alt=sse`,
      headers: { 'x-goog-api-key': API_KEY },
    })
  })

  it('derives its address from the location, otherwise uses the global one', async () => {
    const at = (options: Record<string, string>) => {
      const place = { kind: 'vertex', model_ids: [], api_version: null, entra: null }
      const { base_url } = reach({ ...place, base_url: null, options })
      expect(reach({ ...place, base_url, options }).base_url).toBe(base_url)
      return [providerOf('vertex').address.show?.(base_url), base_url]
    }
    const path = '/v1/projects/p-1/locations'
    expect(at({ project: 'p-1', location: 'us-central1' })).toEqual([
      '',
      `https://us-central1-aiplatform.googleapis.com${path}/us-central1`,
    ])
    expect(at({ project: 'p-1', location: 'eu' })).toEqual([
      '',
      `https://aiplatform.eu.rep.googleapis.com${path}/eu`,
    ])
    expect(at({ project: 'p-1' })).toEqual(['', `https://aiplatform.googleapis.com${path}/global`])
    expect(at({})).toEqual(['', 'https://aiplatform.googleapis.com/v1'])
    expect(
      await send('/test', { base_url: null, api_key: API_KEY, options: { location: 'evil.example/' } }),
    ).toMatchObject({ code: 'invalid' })
  })

  it.each([
    ['is no key file', () => '{"client_email": 7}', 'the key file of the service account cannot be read'],
    [
      'has no private key',
      () => keyFile({ private_key: 'none' }),
      'the key file of the service account cannot be read',
    ],
    [
      'is signed by another',
      () =>
        keyFile({
          private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
            type: 'pkcs8',
            format: 'pem',
          }),
        }),
      'Invalid JWT Signature.',
    ],
    ['is an unknown API key', () => 'another', 'Request had invalid authentication credentials.'],
  ])('says that a key is refused that %s', async (_, api_key, said) => {
    const { detail } = await send('/test', { api_key: api_key(), model_ids: [GEMINI] })
    expect(detail).toBe(`The model provider refused the key: ${said}`)
  })
})

describe('a Vertex AI model', () => {
  const tool = {
    name: 'weather',
    description: 'The weather.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } } },
  }

  it('from Google calls tools, sees images, answers with JSON and reports its usage', async () => {
    await send('', { api_key: keyFile() })
    answers = [
      streams(
        says({ functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 's' }),
        ended,
      ),
    ]
    const picture = {
      type: 'file' as const,
      media_type: 'image/png',
      name: 'a.png',
      data_base64: 'iVBORw0KGgo=',
    }
    const parts = await ask({
      tools: [tool],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }, picture] }],
    })
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'tool-call', name: 'weather', input: '{"city":"Oslo"}' }),
    )
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'usage', input_tokens: 10, cached_tokens: 4, output_tokens: 2 }),
    )
    const sent = JSON.parse(chats()[0]?.text ?? '')
    expect(sent.contents[0].parts).toContainEqual({
      inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    })
    expect(sent.tools[0].functionDeclarations[0].name).toBe('weather')
    await ask({ output: { name: 'plan', schema: { type: 'object' } } })
    expect(JSON.parse(chats()[1]?.text ?? '').generationConfig).toMatchObject({
      responseMimeType: 'application/json',
    })
  })

  it('from Anthropic speaks the Messages API', async () => {
    await send('', { api_key: keyFile(), model_ids: [CLAUDE] })
    answers = [
      (response) => {
        const events = [
          {
            type: 'message_start',
            message: { usage: { input_tokens: 5, cache_read_input_tokens: 3, output_tokens: 1 } },
          },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Bonjour' } },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
          { type: 'message_stop' },
        ]
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(
          events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
        )
      },
    ]
    const parts = await ask({ tools: [tool] }, CLAUDE)
    expect(textOf(parts)).toBe('Bonjour')
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'usage', input_tokens: 8, cached_tokens: 3 }),
    )
    const [{ url, text } = { url: '', text: '{}' }] = chats()
    expect(url).toBe(
      `/v1/projects/own-project/locations/global/publishers/anthropic/models/${encodeURIComponent(CLAUDE)}:streamRawPredict`,
    )
    const body = JSON.parse(text)
    expect(body).toMatchObject({ anthropic_version: 'vertex-2023-10-16', stream: true, max_tokens: 50_000 })
    expect(body).not.toHaveProperty('model')
    expect(body.tools[0].name).toBe('weather')
  })

  it('from another publisher speaks chat completions', async () => {
    const llama = 'meta/llama-4-maverick-17b-128e-instruct-maas'
    await send('', { api_key: keyFile(), model_ids: [llama] })
    answers = [
      (response) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(
            'data: {"choices":[{"index":0,"delta":{"content":"Yes"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
          ),
    ]
    expect(textOf(await ask({}, llama))).toBe('Yes')
    expect(chats()[0]).toMatchObject({
      url: '/v1/projects/own-project/locations/global/endpoints/openapi/chat/completions',
    })
    expect(JSON.parse(chats()[0]?.text ?? '')).toMatchObject({ model: llama })
  })

  it('is retried without tools after it refuses them', async () => {
    await send('', { api_key: keyFile() })
    answers = [refuses(400, 'Function calling is not enabled for models/gemma-3', 'INVALID_ARGUMENT'), hi]
    const parts = await ask({ tools: [tool] })
    expect(textOf(parts)).toBe('Hi')
    expect(parts).toContainEqual({ type: 'adapted', adaptations: [{ name: 'no_tools' }] })
  })

  it('keeps the text of an interrupted answer, and closes the stream when the call is aborted', async () => {
    await send('', { api_key: keyFile() })
    answers = [
      streams(says({ text: 'Half' })),
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(`data: ${JSON.stringify(says({ text: 'One' }))}\n\n`),
    ]
    const call = {
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }],
      tools: [],
      tool_choice: 'auto' as const,
    }
    let text = ''
    const cut = app.deps.models.stream(`vertex/${GEMINI}`, call, AbortSignal.timeout(5_000), (part) => {
      if (part.type === 'text') text += part.text
    })
    await expect(cut).rejects.toMatchObject({ kind: 'interrupted' })
    expect(text).toBe('Half')
    const stop = new AbortController()
    const stopped = app.deps.models.stream(`vertex/${GEMINI}`, call, stop.signal, (part) => {
      if (part.type === 'text') stop.abort(new Error('stopped'))
    })
    await expect(stopped).rejects.toThrow('stopped')
  })

  it('embeds texts and generates images', async () => {
    await send('', { api_key: keyFile() })
    const vector = (values: number[]) => ({ embeddings: { values, statistics: { token_count: 2 } } })
    answers = [
      json({ predictions: [vector([1, 0]), vector([0, 1])] }),
      json({ predictions: [{ bytesBase64Encoded: 'iVBORw0KGgo=' }] }),
    ]
    const signal = AbortSignal.timeout(5_000)
    const find = await app.deps.models.embedders()
    expect(await find('vertex/text-multilingual-embedding-002')(['a', 'b'], signal)).toEqual([
      [1, 0],
      [0, 1],
    ])
    const base = '/v1/projects/own-project/locations/global/publishers/google/models'
    expect(seen.at(-1)?.url).toBe(`${base}/text-multilingual-embedding-002:predict`)
    const wish = { prompt: 'A cat', quality: 'auto' as const, size: 'auto' as const, references: [] }
    const { image } = await app.deps.models.draw('vertex/imagen-4.0-generate-001', wish, signal, () => {})
    expect(image).toBeInstanceOf(Uint8Array)
    expect(seen.at(-1)).toMatchObject({
      url: `${base}/imagen-4.0-generate-001:predict`,
      headers: { authorization: 'Bearer ya29.token-1' },
    })
  })
})
