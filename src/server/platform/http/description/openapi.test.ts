import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { says } from '#tests/model-server.ts'

type Operation = {
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>
  requestBody?: { content: Record<string, { schema: object }> }
  parameters: { schema: object }[]
}
type Description = Record<string, unknown> & { paths: Record<string, Record<string, Operation>> }

const root = new URL('../../../../../', import.meta.url).pathname
const run = promisify(execFile)
let chat: Chat
let address: string
let folder: string
let description: Description
beforeAll(async () => {
  chat = await startChat()
  address = new URL(chat.url).origin
  folder = mkdtempSync(join(tmpdir(), 'atrium-client-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  description = (await chat.call('GET', '/openapi.json')).body
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await chat.close()
})

const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 with valid schemas [PG-10]', async () => {
    const answer = await new Validator().validate(structuredClone(description))
    expect(answer).toEqual({ valid: true })
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const { operation } of operations()) {
      const bodies = [operation.requestBody, ...Object.values(operation.responses)]
      const schemas = bodies.flatMap((one) => Object.values(one?.content ?? {}).map(({ schema }) => schema))
      for (const schema of [...schemas, ...operation.parameters.map((one) => one.schema)])
        expect(ajv.validateSchema(schema), JSON.stringify(schema).slice(0, 300)).toBe(true)
    }
  })

  it('includes every answer and failure of every route, including the OpenAI wire [PG-10]', () => {
    const all = operations()
    const named = all.map(({ name }) => name)
    expect(named).toContain('post /v1/chat/completions')
    expect(named).toContain('get /v1/models/{id}')
    for (const { name, operation } of all) {
      const statuses = Object.keys(operation.responses)
      expect(statuses.filter((status) => status < '400').length, name).toBeGreaterThan(0)
      expect(statuses, name).toEqual(expect.arrayContaining(['400', '429', '500', '503']))
      expect(statuses, name).not.toContain('default')
      for (const [status, { content, $ref }] of Object.entries(operation.responses)) {
        if (status >= '400') expect($ref, name).toMatch(/^#\/components\/responses\//)
        else if (!['204', '302', '304'].includes(status)) expect(content, `${name} ${status}`).toBeDefined()
      }
    }
  })

  it('generates a typed client with one command that calls the real server [PG-10]', {
    timeout: 120_000,
  }, async () => {
    await run('node', ['scripts/client.ts', folder, address], { cwd: root })
    const { connect } = await import(/* @vite-ignore */ join(folder, 'client.ts'))
    const { secret } = await anApiKey(chat.app, chat.user, { scopes: ['chats', 'chat'] })
    const client = connect(address, secret)
    const made = await client.POST('/api/v1/sessions', { body: {} })
    expect(made.response.status).toBe(201)
    const params = { path: { sessionId: made.data.id } }
    expect((await client.GET('/api/v1/sessions/{sessionId}', { params })).data.id).toBe(made.data.id)
    chat.model.reply([says('Of course.')])
    const completion = await client.POST('/v1/chat/completions', {
      body: { model: 'compatible/scripted', messages: [{ role: 'user', content: 'May I?' }] },
    })
    expect(completion.data.choices[0].message.content).toBe('Of course.')
    const refused = await client.GET('/api/v1/documents', { params: { query: { limit: 5 } } })
    expect(refused.error).toMatchObject({ code: 'forbidden' })
    writeFileSync(join(folder, 'use.ts'), use)
    const options =
      '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2024 --lib es2024,dom'
    const tsc = [join(root, 'node_modules/.bin/tsc'), ...options.split(' '), '--allowImportingTsExtensions']
    const checked = await run('node', [...tsc, join(folder, 'use.ts')]).catch((error) => error)
    expect(checked.stdout).toBe('')
  })
})

/** Calls the compiler must accept, and calls it must reject. */
const use = `
import { connect } from './client.ts'
const atrium = connect('http://127.0.0.1', 'atr_x')
const { data, error } = await atrium.GET('/api/v1/sessions', { params: { query: { limit: 5 } } })
const title: string | null | undefined = data?.items[0]?.title
const code: string | undefined = error?.code
const completion = await atrium.POST('/v1/chat/completions', { body: { model: 'x', messages: [{ role: 'user', content: 'Hi' }] } })
const answered = typeof completion.data === 'object' ? completion.data.choices[0]?.message.content : null
// @ts-expect-error a path that is not there
await atrium.GET('/api/v1/nothing')
// @ts-expect-error a message without its content
await atrium.POST('/v1/chat/completions', { body: { model: 'x', messages: [{ role: 'user' }] } })
// @ts-expect-error a path without what it names
await atrium.GET('/api/v1/sessions/{sessionId}', {})
console.log(title, code, answered)
`
