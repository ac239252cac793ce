import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { says } from '#tests/model-server.ts'
import { playTool } from '#tests/probe-tool.ts'

let chat: Chat
let user: TestUser
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_LIMIT_STORAGE_MB: '1' } } })
})
afterAll(() => chat.close())
beforeEach(async () => {
  user = await aUser(chat.app)
})

const call = (method: string, path: string, body?: unknown) => chat.call(method, path, body, user.headers)
const newSession = async () =>
  (await call('POST', '/sessions', { model_name: 'compatible/scripted' })).body.id as string
const send = async (sessionId: string, kilobytes: number) =>
  call('POST', `/sessions/${sessionId}/messages`, { content: 'x'.repeat(kilobytes * 1000) })
const ask = async (sessionId: string) => {
  const body = { content: 'Hi' }
  const { headers } = user
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers,
    body,
  })
  await stream.ended
  return stream.view()!
}

async function upload(bytes: number) {
  const form = new FormData()
  form.set('file', new Blob([Buffer.alloc(bytes, 'x')]), 'notes.txt')
  const { headers } = user
  const answer = await fetch(`${chat.url}/input-files`, { method: 'POST', headers, body: form })
  return { status: answer.status, body: await answer.json() }
}

async function storedFiles(): Promise<number> {
  let count = 0
  for await (const key of chat.app.deps.files.list()) if (key.includes(user.id)) count += 1
  return count
}

const full = {
  status: 413,
  body: {
    code: 'quota_exceeded',
    detail: 'Your storage of 1 MB is full. Delete chats or files you no longer need, and empty the trash.',
  },
}

describe("a user's storage quota", () => {
  it('refuses a message over the quota, and emptying the trash frees the share of a deleted chat', async () => {
    const first = await newSession()
    expect((await send(first, 600)).status).toBe(201)
    const second = await newSession()
    expect(await send(second, 600)).toMatchObject(full)
    expect((await send(second, 300)).status).toBe(201)
    await call('DELETE', `/sessions/${first}`)
    expect(await send(second, 600)).toMatchObject(full)
    await call('DELETE', '/trash')
    await expect.poll(async () => (await send(second, 600)).status).toBe(201)
  })

  it('is separate for each user', async () => {
    expect((await send(await newSession(), 900)).status).toBe(201)
    expect(await send(await newSession(), 900)).toMatchObject(full)
    user = await aUser(chat.app)
    expect((await send(await newSession(), 900)).status).toBe(201)
  })

  it('holds under concurrent messages', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, newSession))
    const answers = await Promise.all(sessions.map((id) => send(id, 300)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 413, 413, 413, 413, 413])
  })

  it('counts files and refuses those that do not fit', async () => {
    expect((await upload(700_000)).status).toBe(201)
    expect(await upload(700_000)).toMatchObject(full)
    expect(await storedFiles()).toBe(1)
    expect(await send(await newSession(), 400)).toMatchObject(full)
    expect((await send(await newSession(), 200)).status).toBe(201)
  })

  it('counts results of standalone tools', async () => {
    const unplay = playTool(chat.app, async () => ({
      doubled: 1,
      text: randomBytes(450_000).toString('base64'),
    }))
    const { body } = await call('POST', '/tools/probe/execute', { inputs: { n: 1 } })
    const isOver = async () =>
      (await call('GET', `/tool-executions/${body.tool_execution_id}`)).body.finished_at
    await expect.poll(isOver, { timeout: 10_000 }).toBeTruthy()
    unplay()
    expect(await send(await newSession(), 600)).toMatchObject(full)
    expect((await send(await newSession(), 300)).status).toBe(201)
  })

  it('lets a running reply exceed it, but no new one start', async () => {
    const id = await newSession()
    chat.model.reply([says('y'.repeat(524_200))])
    const reply = await ask(id)
    expect(reply).toMatchObject({ status: 'completed' })
    expect(reply.content).toHaveLength(524_200)
    expect(await send(id, 1)).toMatchObject(full)
    expect(await call('POST', `/sessions/${id}/messages/${reply.message_id}/regenerate`)).toMatchObject(full)
    expect(
      await call('POST', '/tools/calculator/execute', { inputs: { operation: 'add', a: 1, b: 1 } }),
    ).toMatchObject(full)
  })

  it('matches a full recount', async () => {
    const id = await newSession()
    chat.model.reply([says('z'.repeat(50_000))])
    await ask(id)
    const { rows } = await sql<{ counted: number; there: number }>`
      select stored_bytes as counted,
        (select sum(octet_length(content) + octet_length(blocks::text)) from messages where session_id = s.id) +
        (select sum(pg_column_size(value)) from run_records join runs on runs.id = run_id where session_id = s.id)
          as there
      from sessions s where id = ${id}`.execute(chat.app.deps.db)
    const [{ counted = 0, there = 0 } = {}] = rows
    expect(there).toBeGreaterThan(50_000)
    // PostgreSQL adds spaces when it prints JSON.
    expect(counted / there).toBeGreaterThan(0.95)
    expect(counted / there).toBeLessThan(1.05)
  })
})
