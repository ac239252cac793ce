import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ActiveBranch } from '#shared/chat/messages/messages.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aMessage, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { longChats } from '#tests/long-chats.ts'

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await startApp()
  user = await aUser(app)
})
afterAll(() => app.close())

/** Twice the page size, because the largest message fills a page on its own. */
const MOST = 2_500_000

async function read(sessionId: string, query = '') {
  const url = `/api/v1/sessions/${sessionId}/active-branch?limit=500${query}`
  const { headers } = user
  const { statusCode, payload } = await app.http.inject({ url, headers })
  expect(statusCode).toBe(200)
  return { size: Buffer.byteLength(payload), page: JSON.parse(payload) as ActiveBranch }
}

const idsOf = ({ active_branch }: ActiveBranch) => active_branch.map(({ id }) => id)

describe('a page of messages', () => {
  let sessionId = ''
  let path: string[] = []
  beforeAll(async () => {
    const large = { chats: 1, messages: 60, content: 'repeat(chr(64 + n % 26), 300000)', bare: true }
    ;[sessionId = ''] = await longChats(app, user, large)
    const { rows } = await sql<{ id: string }>`
      select id from messages where session_id = ${sessionId} order by created_at`.execute(app.deps.db)
    path = rows.map(({ id }) => id)
  })

  it('is limited in bytes, and the previous page ends where it begins', async () => {
    const seen: string[] = []
    let before = ''
    for (;;) {
      const { size, page } = await read(sessionId, before && `&before=${before}`)
      expect(size).toBeLessThan(MOST)
      expect(page.total).toBe(60)
      expect(page.start).toBe(60 - seen.length - page.active_branch.length)
      seen.unshift(...idsOf(page))
      if (!page.has_more) break
      before = seen[0]!
    }
    expect(seen).toEqual(path)
  })

  it('includes the message it centres on, or starts after the one it follows', async () => {
    const around = (await read(sessionId, `&around=${path[30]}`)).page
    expect(idsOf(around)).toEqual(path.slice(around.start, around.start + around.active_branch.length))
    expect(idsOf(around)).toContain(path[30])
    expect(around.start).toBeLessThan(30)
    expect(around.start + around.active_branch.length).toBeGreaterThan(31)
    const { size, page } = await read(sessionId, `&before=${path[50]}&after=${path[9]}`)
    expect(size).toBeLessThan(MOST)
    expect(page.start).toBe(10)
    expect(idsOf(page)).toEqual(path.slice(10, 10 + page.active_branch.length))
  })

  it('counts blocks and the JSON size of text', async () => {
    const { id } = await aSession(app, user)
    let parentId: string | undefined
    const blocks = [{ type: 'text', id: 'b1', content: 'x'.repeat(400_000) }]
    for (let n = 0; n < 8; n += 1)
      parentId = (
        await aMessage(app, id, { parentId, role: 'assistant', content: '\u0001'.repeat(100_000), blocks })
      ).id
    const { size, page } = await read(id)
    expect(size).toBeLessThan(MOST)
    expect(page.active_branch).toHaveLength(1 + Math.floor((2_000_000 - 1_000_000) / 1_000_100))
    expect(page.active_branch.at(-1)).not.toHaveProperty('bytes')
  })

  it('has at least one message of any size', async () => {
    const { id } = await aSession(app, user)
    const question = await aMessage(app, id, { content: 'Why?' })
    const blocks = [{ type: 'text', id: 'b1', content: 'y'.repeat(3_000_000) }]
    const reply = await aMessage(app, id, { parentId: question.id, role: 'assistant', blocks })
    const { page } = await read(id)
    expect(page).toMatchObject({ start: 1, has_more: true })
    expect(idsOf(page)).toEqual([reply.id])
    expect(idsOf((await read(id, `&before=${reply.id}`)).page)).toEqual([question.id])
  })

  it('stays within the limit under a dozen concurrent requests', async () => {
    const [id = ''] = await longChats(app, user, {
      ...{ chats: 1, messages: 40, content: 'repeat(chr(64 + n % 26), 970000)', bare: true },
    })
    const answers = await Promise.all(Array.from({ length: 12 }, () => read(id)))
    expect(Math.max(...answers.map(({ size }) => size))).toBeLessThan(MOST)
  })
})
