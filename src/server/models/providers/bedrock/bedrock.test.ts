import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import {
  ended,
  event,
  frame,
  halfThen,
  hi,
  refuses,
  STREAM,
  said,
  streams,
  used,
} from '#tests/providers/aws-event-stream.ts'
import { isSigned, type Seen } from '#tests/providers/aws-signature.ts'
import { reach } from '../../models/configured.ts'
import type { ModelCall, ModelPart } from '../../models/port.ts'
import { providerOf } from '../../models/provider/providers.ts'

const REGION = 'eu-central-1'
const ID = 'AKIDEXAMPLE00000'
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const TOKEN = 'IQoJb3JpZ2luX2VjEXAMPLE=='
const API_KEY = 'ABSKQmVkcm9ja0FQSUtleS1leGFtcGxl'
const CLAUDE = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'

let app: TestApp
let admin: TestUser
let server: Server
let origin: string
let seen: Seen[] = []
let answers: ((response: ServerResponse) => void)[] = []

const model = (modelId: string, more: object = {}) => ({
  ...{ modelArn: `arn:aws:bedrock:${REGION}::foundation-model/${modelId}`, modelId, modelName: modelId },
  ...{ inputModalities: ['TEXT'], outputModalities: ['TEXT'], inferenceTypesSupported: ['ON_DEMAND'] },
  ...{ responseStreamingSupported: true, ...more },
})
const lists: Record<string, object> = {
  '/foundation-models': {
    modelSummaries: [
      model('amazon.nova-lite-v1:0', { inputModalities: ['TEXT', 'IMAGE'] }),
      model(CLAUDE.slice(3), {
        inferenceTypesSupported: ['INFERENCE_PROFILE'],
        inputModalities: ['TEXT', 'IMAGE'],
      }),
      model('amazon.titan-embed-text-v2:0', { outputModalities: ['EMBEDDING'] }),
      model('amazon.nova-canvas-v1:0', { outputModalities: ['IMAGE'] }),
      { modelId: 7 },
    ],
  },
  '/inference-profiles': {
    inferenceProfileSummaries: [
      {
        ...{ inferenceProfileId: CLAUDE, inferenceProfileName: 'EU Claude Sonnet 4.5', status: 'ACTIVE' },
        models: [{ modelArn: `arn:aws:bedrock:eu-west-1::foundation-model/${CLAUDE.slice(3)}` }],
      },
    ],
  },
}

function answer(one: Seen, response: ServerResponse): void {
  const list = lists[new URL(one.url, 'http://x').pathname]
  const isKnown =
    one.headers.authorization === `Bearer ${API_KEY}` ||
    isSigned(one, { id: ID, secret: SECRET, region: REGION })
  if (!isKnown)
    return void refuses(403, 'The security token is invalid.', 'UnrecognizedClientException')(response)
  if (list)
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list))
  const next = answers.shift() ?? hi
  next(response)
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, text }
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
  await app.deps.db.deleteFrom('model_connections').execute()
  await app.deps.db.deleteFrom('model_adaptations').execute()
  app.deps.models.refresh()
})
afterAll(async () => {
  await app.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const byAccessKey = { api_key: SECRET, options: { region: REGION, access_key_id: ID } }
const byApiKey = { api_key: API_KEY, options: { region: REGION } }
const send = async (path: string, more: object) => {
  const url = `/api/v1/model-connections${path}`
  const payload = { name: 'Amazon Bedrock', kind: 'bedrock', base_url: origin, ...more }
  return (await app.http.inject({ method: 'POST', url, headers: admin.headers, payload })).json()
}
const ask = async (more: Partial<ModelCall> = {}, modelId = CLAUDE, signal = AbortSignal.timeout(10_000)) => {
  const parts: ModelPart[] = []
  const content = [{ type: 'text' as const, text: 'Hi' }]
  const call = {
    messages: [{ role: 'user' as const, content }],
    tools: [],
    tool_choice: 'auto' as const,
    ...more,
  }
  await app.deps.models.stream(`bedrock/${modelId}`, call, signal, (part) => parts.push(part))
  return parts
}
const textOf = (parts: ModelPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
const chats = () => seen.filter(({ url }) => url.includes('/converse-stream'))

describe('Amazon Bedrock', () => {
  it.each([
    ['an access key', byAccessKey],
    ['temporary keys', { ...byAccessKey, api_key: `${SECRET}:${TOKEN}` }],
    ['an API key', byApiKey],
  ])('lists and asks models with %s', async (_, given) => {
    expect(await send('/test', given)).toMatchObject({ ok: true, models: [CLAUDE, 'amazon.nova-lite-v1:0'] })
    const made = await send('', given)
    expect(made).toMatchObject({ provider: 'bedrock', status: 'ok', has_key: true, options: given.options })
    expect(JSON.stringify(made)).not.toContain(given.api_key)
    expect(textOf(await ask())).toBe('Hi')
    const [{ url, headers } = { url: '', headers: {} as IncomingHttpHeaders }] = chats()
    expect(url).toBe(`/model/${encodeURIComponent(CLAUDE)}/converse-stream`)
    const isTemporary = given.api_key.endsWith(TOKEN)
    expect(headers['x-amz-security-token']).toBe(isTemporary ? TOKEN : undefined)
  })

  it('derives its address from the region and does not show it as a typed one', () => {
    const at = (region: string) => {
      const place = { kind: 'bedrock', model_ids: [], api_version: null, entra: null, options: { region } }
      const { base_url } = reach({ ...place, base_url: null })
      expect(reach({ ...place, base_url }).base_url).toBe(base_url)
      return [providerOf('bedrock').address.show?.(base_url), base_url]
    }
    expect(at(REGION)).toEqual(['', `https://bedrock-runtime.${REGION}.amazonaws.com`])
    expect(at('cn-north-1')).toEqual(['', 'https://bedrock-runtime.cn-north-1.amazonaws.com.cn'])
    expect(at('evil.example')).toEqual(['', ''])
  })

  it('rejects a missing region, and a region that changes the host', async () => {
    expect(await send('', { options: {} })).toMatchObject({ code: 'invalid' })
    expect(await send('', { options: { region: 'x/../../evil' } })).toMatchObject({ code: 'invalid' })
    expect(await send('/test', { options: { region: 'x.evil.example' } })).toMatchObject({ ok: false })
    expect(await send('', { options: { region: REGION, strange: 'x' } })).toMatchObject({ code: 'invalid' })
    expect(seen).toEqual([])
  })

  it('reports a refused key with the message of AWS', async () => {
    const { detail } = await send('/test', { ...byAccessKey, api_key: 'another-secret' })
    expect(detail).toBe('The model provider refused the key: The security token is invalid.')
  })

  it('offers models typed by hand when the key may not list models', async () => {
    const list = lists['/foundation-models']
    lists['/foundation-models'] = undefined as never
    answers = [
      refuses(403, 'not authorized to perform: bedrock:ListFoundationModels', 'AccessDeniedException'),
    ]
    const tested = await send('/test', { ...byApiKey, model_ids: [CLAUDE] })
    lists['/foundation-models'] = list as object
    expect(tested).toMatchObject({ ok: true, models: [CLAUDE], lists_models: false })
    expect(chats()).toHaveLength(1)
  })
})

describe('a Bedrock model', () => {
  const tool = {
    name: 'weather',
    description: 'The weather.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } } },
  }

  it('calls tools, receives their results, and sees images', async () => {
    await send('', byAccessKey)
    answers = [
      streams(
        event('messageStart', { role: 'assistant' }),
        event('contentBlockStart', {
          contentBlockIndex: 0,
          start: { toolUse: { toolUseId: 'tooluse_1', name: 'weather' } },
        }),
        event('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: '{"city":' } } }),
        event('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: '"Oslo"}' } } }),
        event('contentBlockStop', { contentBlockIndex: 0 }),
        ended('tool_use'),
        used({ cacheReadInputTokens: 100, cacheWriteInputTokens: 20 }),
      ),
    ]
    const parts = await ask({ tools: [tool] })
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-call',
        id: 'tooluse_1',
        name: 'weather',
        input: '{"city":"Oslo"}',
      }),
    )
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: 'usage',
        input_tokens: 130,
        cached_tokens: 100,
        cache_write_tokens: 20,
        output_tokens: 2,
        estimated: false,
      }),
    )
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
    const picture = {
      type: 'file' as const,
      media_type: 'image/png',
      name: 'a.png',
      data_base64: 'iVBORw0KGgo=',
    }
    await ask({
      tools: [tool],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }, picture] },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', id: 'of another:model', name: 'weather', input: '{}' }],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', id: 'of another:model', name: 'weather', output: 'Sun', is_error: false },
          ],
        },
      ],
    })
    const body = JSON.parse(chats().at(-1)?.text ?? '')
    expect(body.system).toEqual([{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }])
    expect(body.messages[0].content).toContainEqual({
      image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } },
    })
    const { toolUseId } = body.messages[1].content[0].toolUse
    expect(toolUseId).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(body.messages[2].content[0].toolResult).toMatchObject({ toolUseId, content: [{ text: 'Sun' }] })
    expect(body.toolConfig.tools[0].toolSpec.inputSchema.json.properties.city).toEqual({ type: 'string' })
  })

  it('answers with JSON that follows a schema', async () => {
    await send('', byApiKey)
    answers = [
      streams(
        event('messageStart', { role: 'assistant' }),
        event('contentBlockStart', {
          contentBlockIndex: 0,
          start: { toolUse: { toolUseId: 't', name: 'json' } },
        }),
        event('contentBlockDelta', {
          contentBlockIndex: 0,
          delta: { toolUse: { input: '{"steps":["a"]}' } },
        }),
        event('contentBlockStop', { contentBlockIndex: 0 }),
        ended('tool_use'),
        used({}),
      ),
    ]
    const schema = { type: 'object', properties: { steps: { type: 'array', items: { type: 'string' } } } }
    const parts = await ask({ output: { name: 'plan', schema } }, 'amazon.nova-lite-v1:0')
    expect(JSON.parse(textOf(parts))).toEqual({ steps: ['a'] })
    expect(parts.some(({ type }) => type === 'tool-call')).toBe(false)
  })

  it('is retried without tools after it refuses them, and the reply says so', async () => {
    await send('', byApiKey)
    answers = [
      refuses(400, "This model doesn't support tool use in streaming mode.", 'ValidationException'),
      hi,
    ]
    const parts = await ask({ tools: [tool] }, 'amazon.nova-lite-v1:0')
    expect(textOf(parts)).toBe('Hi')
    expect(parts).toContainEqual({ type: 'adapted', adaptations: [{ name: 'no_tools' }] })
    expect(JSON.parse(chats()[1]?.text ?? '')).not.toHaveProperty('toolConfig')
  })

  it('is retried when it is throttled, and when its stream fails before the first word', async () => {
    await send('', byApiKey)
    const failed = frame(
      {
        ':exception-type': 'throttlingException',
        ':content-type': 'application/json',
        ':message-type': 'exception',
      },
      { message: 'Too many requests, please wait.' },
    )
    answers = [
      (response) => response.writeHead(429, { 'retry-after': '0' }).end('{"message":"Too many requests"}'),
      streams(event('messageStart', { role: 'assistant' }), failed),
      hi,
    ]
    expect(textOf(await ask())).toBe('Hi')
    expect(chats()).toHaveLength(3)
  })

  it.each([
    ['cut within a frame', halfThen(said(' a word').subarray(0, 30)), 'interrupted'],
    [
      'cut before its end',
      streams(event('messageStart', { role: 'assistant' }), said('Half')),
      'interrupted',
    ],
    ['of a frame of 4 GB', halfThen(Buffer.alloc(64, 0xff)), 'invalid_answer'],
  ])('keeps the text of an answer that is %s', async (_, cut, kind) => {
    await send('', byApiKey)
    answers = [cut]
    const parts: ModelPart[] = []
    const call = {
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }],
      tools: [],
      tool_choice: 'auto' as const,
    }
    const failure = await app.deps.models
      .stream(`bedrock/${CLAUDE}`, call, AbortSignal.timeout(10_000), (part) => parts.push(part))
      .then(
        () => null,
        (error) => error,
      )
    expect(failure).toMatchObject({ kind })
    expect(textOf(parts)).toBe('Half')
  })

  it('closes the stream when the call is aborted', async () => {
    await send('', byApiKey)
    let isClosed = false
    answers = [
      (response) => {
        response
          .writeHead(200, STREAM)
          .write(Buffer.concat([event('messageStart', { role: 'assistant' }), said('One')]))
        response.on('close', () => {
          isClosed = true
        })
      },
    ]
    const stop = new AbortController()
    const call = {
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }],
      tools: [],
      tool_choice: 'auto' as const,
    }
    const asked = app.deps.models.stream(`bedrock/${CLAUDE}`, call, stop.signal, (part) => {
      if (part.type === 'text') stop.abort(new Error('stopped'))
    })
    await expect(asked).rejects.toThrow('stopped')
    await expect.poll(() => isClosed).toBe(true)
  })

  it('embeds texts in the request format of each model family', async () => {
    await send('', byAccessKey)
    const json = (value: object) => (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const titan = { embedding: [1, 0], inputTextTokenCount: 3 }
    answers = [
      json(titan),
      json(titan),
      json({
        embeddings: {
          float: [
            [0, 1],
            [1, 1],
          ],
        },
      }),
    ]
    const find = await app.deps.models.embedders()
    const signal = AbortSignal.timeout(5_000)
    expect(await find('bedrock/amazon.titan-embed-text-v2:0')(['a', 'b'], signal)).toEqual([
      [1, 0],
      [1, 0],
    ])
    expect(await find('bedrock/cohere.embed-v4:0')(['a', 'b'], signal, 'query')).toEqual([
      [0, 1],
      [1, 1],
    ])
    const invoked = seen.filter(({ url }) => url.endsWith('/invoke')).map(({ text }) => JSON.parse(text))
    expect(invoked).toEqual([
      { inputText: 'a' },
      { inputText: 'b' },
      { texts: ['a', 'b'], input_type: 'search_query', embedding_types: ['float'] },
    ])
  })
})
