import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type ModelServer, says, startModelServer } from '#tests/model-server.ts'

const key = 'sk-secret-of-the-house-1234'
let app: TestApp
let model: ModelServer
let admin: TestUser
let person: TestUser

beforeAll(async () => {
  model = await startModelServer({ models: ['large', 'small', 'text-embedding-3'] })
  app = await startApp({ config: { ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house' } })
  admin = await aUser(app, { role: 'super_admin' })
  person = await aUser(app)
})
afterAll(async () => {
  await app.close()
  await model.close()
})

const send = async (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  user = admin,
) => {
  const response = await app.http.inject({ method, url: `/api/v1${url}`, headers: user.headers, payload })
  return { status: response.statusCode, body: response.json(), text: response.body }
}
const models = async () =>
  (await send('GET', '/available-models', undefined, person)).body as {
    id: string
    is_default: boolean
    local: boolean
  }[]
const create = (payload: object) => send('POST', '/model-connections', payload)

describe('models of an installation', () => {
  it('lists the chat models of every provider and the built-in one [MO-01, SV-51]', async () => {
    const found = await models()
    expect(found.map(({ id }) => id)).toEqual(['house/large', 'house/small', 'atrium/offline'])
    expect(found.filter((one) => one.is_default).map(({ id }) => id)).toEqual(['house/large'])
    expect(found.every((one) => one.local)).toBe(true)
  })

  it('shows settings of the environment as read-only [MO-06]', async () => {
    const { body } = await send('GET', '/model-connections')
    expect(body[0]).toMatchObject({ provider: 'house', source: 'environment', status: 'ok', has_key: false })
    expect((await send('DELETE', `/model-connections/${body[0].id}`)).status).toBe(409)
    expect((await send('PATCH', `/model-connections/${body[0].id}`, { name: 'Other' })).status).toBe(409)
  })

  it('gives concurrent connections of the same name unique provider ids', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => create({ name: 'Same', kind: 'compatible', base_url: model.url })),
    )
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    const providers = made.map(({ body }) => body.provider).sort()
    expect(providers).toEqual(['same', 'same-2', 'same-3', 'same-4', 'same-5'])
    for (const { body } of made) await send('DELETE', `/model-connections/${body.id}`)
  })

  it('keeps a stored key for the address that it was entered for [MO-06]', async () => {
    const made = await create({ name: 'Moved', kind: 'compatible', base_url: model.url, api_key: key })
    const path = `/model-connections/${made.body.id}`
    const refused = await send('PATCH', path, { base_url: 'https://a.example/v1' })
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'api_key: Enter the key again: the address has changed.',
    ])
    expect((await send('PATCH', path, { add_keys: ['sk-second-1234567890'] })).status).toBe(200)
    const first = { base_url: 'https://a.example/v1', api_key: 'sk-new-1234567890' }
    expect((await send('PATCH', path, first)).status).toBe(422)
    const { keys } = (await send('PATCH', path, { base_url: `${model.url}/v2` })).body
    const remove_keys = keys.slice(1).map(({ id }: { id: string }) => id)
    expect((await send('PATCH', path, { ...first, remove_keys })).status).toBe(200)
    expect((await send('DELETE', path)).status).toBe(200)
  })

  it('connects, tests, changes and removes a provider without ever returning its key [MO-06, SV-97]', async () => {
    const tested = await send('POST', '/model-connections/test', {
      name: 'Lab',
      kind: 'compatible',
      base_url: model.url,
      api_key: key,
    })
    expect(tested.body).toMatchObject({ ok: true, models: ['large', 'small'] })
    const created = await create({ name: 'Été Lab', kind: 'compatible', base_url: model.url, api_key: key })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      provider: 'ete-lab',
      has_key: true,
      key_hint: '1234',
      status: 'ok',
      source: 'database',
    })
    expect(created.text).not.toContain(key)
    expect((await send('GET', '/model-connections')).text).not.toContain(key)
    const { api_key_sealed } = await app.deps.db
      .selectFrom('model_connections')
      .select('api_key_sealed')
      .executeTakeFirstOrThrow()
    expect(api_key_sealed).not.toContain(key)

    const id = created.body.id as string
    const priced = {
      models: { 'ete-lab/small': { offered: false }, 'ete-lab/large': { input_price: 2, output_price: 4 } },
    }
    const changed = await send('PATCH', `/model-connections/${id}`, { name: 'Lab', ...priced })
    expect(changed.body).toMatchObject({
      name: 'Lab',
      models: [{ input_price: 2, edited: true }, { offered: false }],
    })
    expect((await models()).map((one) => one.id)).toEqual([
      'house/large',
      'house/small',
      'ete-lab/large',
      'atrium/offline',
    ])
    const usage = {
      input_tokens: 1_000_000,
      output_tokens: 500_000,
      cached_tokens: 0,
      reasoning_tokens: 0,
      estimated: false,
    }
    expect(await app.deps.models.price('ete-lab/large', usage)).toEqual({ amount: 4, unpriced: false })
    expect(await app.deps.models.price('house/large', usage)).toEqual({ amount: 0, unpriced: true })

    await send('PATCH', `/model-connections/${id}`, { enabled: false })
    expect((await models()).map((one) => one.id)).not.toContain('ete-lab/large')
    expect((await send('DELETE', `/model-connections/${id}`)).status).toBe(200)
    expect((await send('POST', `/model-connections/${id}/test`)).status).toBe(404)
  })

  it('gives several connections of one kind unique provider ids [MO-06]', async () => {
    const one = await create({ name: 'House', kind: 'compatible', base_url: model.url })
    const two = await create({ name: 'house', kind: 'compatible', base_url: model.url })
    expect([one.body.provider, two.body.provider]).toEqual(['house-2', 'house-3'])
    for (const { body } of [one, two]) await send('DELETE', `/model-connections/${body.id}`)
  })

  it('explains why a connection fails [SV-97]', async () => {
    const broken = await startModelServer()
    await broken.close()
    const test = await send('POST', '/model-connections/test', {
      name: 'x',
      kind: 'compatible',
      base_url: broken.url,
    })
    expect(test.body).toMatchObject({ ok: false, models: [] })
    expect(test.body.detail).toBe('The model provider cannot be reached.')
    expect((await create({ name: 'x', kind: 'compatible' })).status).toBe(422)
    expect((await create({ name: 'x', kind: 'compatible', base_url: 'file:///etc/passwd' })).status).toBe(422)
  })

  it('allows only super admins to read and test connections [SV-97]', async () => {
    expect((await send('GET', '/model-connections', undefined, person)).status).toBe(403)
    expect((await send('POST', '/model-connections/test', {}, person)).status).toBe(403)
  })

  it('streams from the named model and rejects a model that is not offered [MO-05]', async () => {
    model.reply([says('from large')])
    const parts: object[] = []
    const call = { messages: [], tools: [], tool_choice: 'auto' as const }
    const give = (part: object) => void parts.push(part)
    await app.deps.models.stream('house/large', call, AbortSignal.timeout(5000), give)
    expect(parts[0]).toEqual({ type: 'text', text: 'from large' })
    expect(model.requests.at(-1)?.model).toBe('large')
    await expect(app.deps.models.find('house/unknown')).rejects.toMatchObject({ code: 'not_available' })
    await expect(app.deps.models.find('nobody/large')).rejects.toMatchObject({ code: 'not_available' })
  })

  it('counts the tokens of texts that contain special tokens of the tokenizer', async () => {
    const counted = await app.deps.models.countTokens(
      'house/large',
      'Hello world <|endoftext|> '.repeat(2000),
    )
    expect(counted).toBeGreaterThan(8000)
  })
})
