import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { citationTag } from '#shared/platform/citations/citation-tags.ts'
import { aMessage, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, hangs, says } from '#tests/model-server.ts'
import { aDocument } from '#tests/stored-document.ts'
import { aMedium } from '#tests/stored-media.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Body = any

const fork = (sessionId: string, messageId: string, body: object = {}) =>
  chat.call('POST', `/sessions/${sessionId}/messages/${messageId}/fork`, body)
const branch = async (sessionId: string): Promise<Body> =>
  (await chat.call('GET', `/sessions/${sessionId}/active-branch`)).body
const texts = ({ active_branch }: Body) => active_branch.map(({ content }: Body) => content)
const multiply = { a: 6, b: 7, operation: 'multiply' }

/** Creates a chat of two turns; the first reply called a tool that made a file. */
async function aChatOfTwoTurns() {
  const sessionId = await chat.aSession()
  await chat.call('PUT', `/sessions/${sessionId}/rename`, { title: 'HVAC renewals' })
  chat.model.reply([calls('calculator', multiply)], [says('42')], [says('Done')])
  await (await chat.ask(sessionId, 'Compute')).ended
  await (await chat.ask(sessionId, 'And now?')).ended
  const [question, answer, , last] = (await branch(sessionId)).active_branch
  const { db } = chat.app.deps
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('message_id', '=', answer.id)
    .executeTakeFirstOrThrow()
  const mediumId = await aMedium(chat.app, chat.user, run.id)
  await db
    .updateTable('tool_executions')
    .set({ result: JSON.stringify({ value: 42, file: mediumId }) })
    .where('run_id', '=', run.id)
    .execute()
  return { sessionId, question, answer, last, mediumId }
}

describe('a fork', () => {
  it('shows which facts its replies were given', async () => {
    const { sessionId, answer, last } = await aChatOfTwoTurns()
    const {
      body: { fact },
    } = await chat.call('POST', '/facts', { text: 'Lives in Lyon' })
    await sql`insert into fact_uses (message_id, fact_id, place, text)
      select id, ${fact.id}, 0, 'Lives in Lyon' from unnest(${[answer.id, last.id]}::uuid[]) id`.execute(
      chat.app.deps.db,
    )
    const { body: forked } = await fork(sessionId, answer.id)
    const [, copy] = (await branch(forked.id)).active_branch
    const { used } = (await chat.call('GET', `/sessions/${forked.id}/memory`)).body
    expect(used).toMatchObject([{ message_id: copy.id, facts: [{ id: fact.id, text: 'Lives in Lyon' }] }])
  })

  it('begins with the path to the message, and both chats link to each other', async () => {
    const { sessionId, question, answer } = await aChatOfTwoTurns()
    await chat.call('PUT', `/sessions/${sessionId}/tuning`, { effort: 'low' })
    for (const message of [question, answer]) {
      const { status, body } = await fork(sessionId, message.id)
      expect(status).toBe(201)
      expect(body).toMatchObject({
        ...{ title: 'HVAC renewals', model_name: 'compatible/scripted', status: 'COMPLETED' },
        session_metadata: { effort: 'low' },
      })
      const forked = await branch(body.id)
      expect(texts(forked)).toEqual(message === question ? ['Compute'] : ['Compute', '42'])
      const end = forked.active_branch.at(-1)
      expect(forked.links).toEqual([
        {
          ...{ message_id: end.id, way: 'from', session_id: sessionId, title: 'HVAC renewals' },
          other_message_id: message.id,
        },
      ])
      expect((await branch(sessionId)).links).toContainEqual({
        ...{ message_id: message.id, way: 'to', session_id: body.id, title: 'HVAC renewals' },
        other_message_id: end.id,
      })
    }
    // The new chat continues independently.
    const { body } = await fork(sessionId, answer.id)
    chat.model.reply([says('Forty-three')])
    await (await chat.ask(body.id, 'Add one')).ended
    expect(texts(await branch(body.id))).toEqual(['Compute', '42', 'Add one', 'Forty-three'])
    expect(texts(await branch(sessionId))).toEqual(['Compute', '42', 'And now?', 'Done'])
  })

  it('keeps tool calls and files after the original is deleted', async () => {
    const { sessionId, answer, last, mediumId } = await aChatOfTwoTurns()
    const { body } = await fork(sessionId, last.id)
    const before = (await branch(body.id)).active_branch[1].blocks
    await chat.call('DELETE', `/sessions/${sessionId}`)
    const { active_branch, links } = await branch(body.id)
    expect(links).toEqual([])
    const tool = active_branch[1].blocks.find(({ type }: Body) => type === 'tool')
    expect(active_branch[1].blocks).toEqual(before)
    expect(tool).toMatchObject({ tool_id: 'calculator', input: multiply, status: 'complete' })
    expect(tool.id).not.toBe(answer.blocks.find(({ type }: Body) => type === 'tool').id)
    const { body: execution } = await chat.call('GET', `/tool-executions/${tool.id}`)
    expect(execution.result.file).not.toBe(mediumId)
    const file = await fetch(`${chat.url}/assets/tools/${execution.result.file}/a.txt`, {
      headers: chat.user.headers,
    })
    expect(await file.text()).toBe('a')
    expect(active_branch.flatMap(({ blocks }: Body) => blocks.map(({ type }: Body) => type))).not.toContain(
      'checkpoint',
    )
  })

  it('of a chat that someone else shared belongs to the person who made it, with the storage of its files', async () => {
    const { sessionId, answer } = await aChatOfTwoTurns()
    const member = await aUser(chat.app)
    const { db } = chat.app.deps
    const workspace_id = (await chat.call('POST', '/workspaces', { name: 'Renewals' })).body.id
    await db
      .insertInto('workspace_members')
      .values({ workspace_id, person_id: member.id, role: 'reader', added_by: chat.user.id })
      .execute()
    const items = [{ session_id: sessionId, workspace_id, is_shared: true }]
    expect((await chat.call('PUT', '/session-projects', { items })).status).toBe(200)
    const path = `/sessions/${sessionId}/messages/${answer.id}/fork`
    const { status, body } = await chat.call('POST', path, {}, member.headers)
    expect(status).toBe(201)
    for (const table of ['runs', 'tool_executions'] as const) {
      const rows = await db.selectFrom(table).select('user_id').where('session_id', '=', body.id).execute()
      expect(rows, table).toEqual([{ user_id: member.id }])
    }
    const media = await db.selectFrom('media').select('id').where('user_id', '=', member.id).execute()
    expect(media).toHaveLength(1)
    expect((await chat.call('GET', `/media/${media[0]?.id}`)).status).toBe(404)
  })

  it('leaves the original whole when it is deleted', async () => {
    const { sessionId, last, mediumId } = await aChatOfTwoTurns()
    const before = await branch(sessionId)
    const { body } = await fork(sessionId, last.id)
    await chat.call('DELETE', `/sessions/${body.id}`)
    expect(await branch(sessionId)).toEqual(before)
    const file = await fetch(`${chat.url}/assets/tools/${mediumId}/a.txt`, { headers: chat.user.headers })
    expect(await file.text()).toBe('a')
  })

  it('takes citations and the documents of the path, without other branches and later documents', async () => {
    const sessionId = await chat.aSession()
    const { documentId, chunkId } = await aDocument(chat.app, chat.user)
    const later = await aDocument(chat.app, chat.user)
    const link = (document_id: string, added_at: Date) =>
      chat.app.deps.db
        .insertInto('session_documents')
        .values({ session_id: sessionId, document_id, added_at })
        .execute()
    await link(documentId, new Date(Date.now() - 60_000))
    await link(later.documentId, new Date(Date.now() + 60_000))
    const question = await aMessage(chat.app, sessionId, { content: 'Which?' })
    await aMessage(chat.app, sessionId, { parentId: question.id, role: 'assistant', content: 'Other' })
    const text = `Kessler ${citationTag(chunkId, 1)}.`
    const sources = [{ id: chunkId, number: 1, title: 'a.txt', url: null }]
    const answer = await aMessage(chat.app, sessionId, {
      ...{ parentId: question.id, role: 'assistant', content: text },
      blocks: [{ type: 'text', id: 't', text, sources }],
    })
    const { body } = await fork(sessionId, answer.id)
    const { active_branch, forks } = await branch(body.id)
    expect(active_branch[1]).toMatchObject({ content: text, blocks: [{ sources }] })
    expect(forks).toEqual([])
    expect(body.documents.map(({ id }: Body) => id)).toEqual([documentId])
  })

  it('is created once per id', async () => {
    const { sessionId, answer } = await aChatOfTwoTurns()
    const id = crypto.randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => fork(sessionId, answer.id, { id })))
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(Array(3).fill([201, id]))
    expect(texts(await branch(id))).toEqual(['Compute', '42'])
  })

  it('leaves no copied files when it is made already or has no room', async () => {
    const { sessionId, answer, mediumId } = await aChatOfTwoTurns()
    const { db, files } = chat.app.deps
    const written: string[] = []
    const writeFile = files.write.bind(files)
    const spy = vi.spyOn(files, 'write').mockImplementation(async (key, bytes) => {
      written.push(key)
      return writeFile(key, bytes)
    })
    const stored = async () => {
      const keys: string[] = []
      for await (const key of files.list()) if (written.includes(key)) keys.push(key)
      return keys.length
    }
    const id = crypto.randomUUID()
    for (let n = 0; n < 3; n += 1) expect((await fork(sessionId, answer.id, { id })).status).toBe(201)
    expect([written.length, await stored()]).toEqual([1, 1])
    await db.updateTable('media').set({ size: 1e15 }).where('id', '=', mediumId).execute()
    expect(await fork(sessionId, answer.id)).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    expect(written).toHaveLength(1)
    await db.updateTable('media').set({ size: 1 }).where('id', '=', mediumId).execute()
    const taken = crypto.randomUUID()
    const twins = [1, 2, 3].map(() => fork(sessionId, answer.id, { id: taken }))
    for (const { status } of await Promise.all(twins)) expect(status).toBe(201)
    expect(await stored()).toBe(2)
    spy.mockRestore()
  })

  it('is refused to other people, and of a reply that is being written', async () => {
    const { sessionId, answer } = await aChatOfTwoTurns()
    const { headers } = await aUser(chat.app)
    const url = `/api/v1/sessions/${sessionId}/messages/${answer.id}/fork`
    const refused = await chat.app.http.inject({ method: 'POST', url, headers, payload: {} })
    expect(refused.statusCode).toBe(403)
    chat.model.reply([says('Half'), hangs()])
    const stream = await chat.ask(sessionId, 'Go on')
    await stream.until('task_stream_init')
    const writing = (await branch(sessionId)).active_branch.at(-1)
    expect((await fork(sessionId, writing.id)).body.code).toBe('session_busy')
    await chat.call('POST', `/sessions/${sessionId}/stop`)
  })
})
