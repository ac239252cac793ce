import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import type { Reader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'
import { says } from '#tests/model-server.ts'
import { aProjectHouse } from '#tests/project-people.ts'
import { groupQuestions } from './group-questions.ts'
import { isUnanswered } from './record-unanswered.ts'
import { findSharedWords } from './shared-words.ts'
import { insertUnanswered } from './unanswered-store.ts'

let chat: Chat
let house: Awaited<ReturnType<typeof aProjectHouse>>
let manager: Reader
let readers: Reader[] = []
let project = ''
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  house = await aProjectHouse({ ...chat.app, listen: async () => chat.url.replace('/api/v1', '') })
  manager = await house.aColleague()
  readers = await Promise.all(Array.from({ length: 10 }, () => house.aColleague()))
}, 120_000)
afterAll(() => chat.close())
beforeEach(async () => {
  chat.model.forget()
  project = await house.aProject(manager)
  await house.aDocument(manager, project)
})

const db = () => chat.app.deps.db
const group = () => groupQuestions(chat.app.deps as never, new AbortController().signal)
const list = async (by = manager) => by.call('GET', `/projects/${project}/unanswered`)
const groups = async () =>
  (await list()).body.items as { id: string; askers: number; words: string[]; state: string }[]
const decide = (id: string, state: string, by = manager) =>
  by.call('PUT', `/projects/${project}/unanswered/${id}`, { state })

/** Stores a question of a person in the project that its documents did not answer. */
async function asked(by: Reader, content: string): Promise<string> {
  const sessionId = await house.aChat(by, project, false)
  const { rows } = await sql<{ id: string }>`update messages set content = ${content} where id = (
    select id from messages where session_id = ${sessionId} and role = 'user' order by created_at limit 1) returning id`.execute(
    db(),
  )
  await sql`insert into unanswered_questions (message_id, session_id, workspace_id, user_id)
    values (${rows[0]?.id}, ${sessionId}, ${project}, ${by.user.id})`.execute(db())
  return sessionId
}
const PARKING = 'Where may visitors park their cars near the warehouse?'
async function join(count: number, content = PARKING) {
  for (const reader of readers.slice(0, count)) await house.add(manager, project, 'reader', reader.user.id)
  const sessions: string[] = []
  for (const reader of readers.slice(0, count)) sessions.push(await asked(reader, content))
  return sessions
}

describe('the questions that documents could not answer', () => {
  it('are hidden until five different people asked, counted exactly [GV-05]', async () => {
    await join(4)
    await asked(readers[0]!, PARKING)
    await group()
    expect(await groups()).toEqual([])
    await house.add(manager, project, 'reader', readers[4]!.user.id)
    await asked(readers[4]!, 'Near the warehouse, where may visitors park their cars?')
    await group()
    expect(await groups()).toMatchObject([{ askers: 5, state: 'open' }])
  })

  it('are hidden again when a chat is deleted, is in the trash or leaves the project [GV-05]', async () => {
    const sessions = await join(5)
    await group()
    expect(await groups()).toHaveLength(1)
    const change = (column: string, value: unknown) =>
      sql`update sessions set ${sql.ref(column)} = ${value} where id = ${sessions[0]}`.execute(db())
    await change('deleted_at', new Date())
    expect(await groups()).toEqual([])
    await change('deleted_at', null)
    expect(await groups()).toHaveLength(1)
    await change('workspace_id', null)
    expect(await groups()).toEqual([])
    await change('workspace_id', project)
    await sql`delete from sessions where id = ${sessions[1]}`.execute(db())
    expect(await groups()).toEqual([])
    const { rows } = await sql`select from unanswered_questions where session_id = ${sessions[1]}`.execute(
      db(),
    )
    expect(rows).toEqual([])
  })

  it('are grouped by meaning, in any number of runs of the job [GV-05]', async () => {
    await join(5)
    for (const reader of readers.slice(0, 5)) await asked(reader, 'Which supplier delivers the blue paint?')
    await group()
    await group()
    const found = await groups()
    expect(found.map(({ askers }) => askers)).toEqual([5, 5])
    expect(found.map(({ words }) => words.join(' ')).sort()).toEqual([
      'supplier delivers blue paint',
      'visitors park cars near warehouse',
    ])
  })

  it('show only words that five people used, never a question or a person [GV-05]', () => {
    const questions = ['Anna', 'Bob', 'Cleo', 'Dan', 'Eve'].map((name, at) => ({
      userId: String(at),
      content: `${name} asks for the notice period of the warehouse lease ${at < 4 ? 'in Lyon' : ''}`,
    }))
    expect(findSharedWords(questions)).toEqual(['asks', 'notice', 'period', 'warehouse', 'lease'])
    expect(findSharedWords(questions.map((one) => ({ ...one, userId: '0' })))).toEqual([])
  })

  it('show no inflection that fewer than five people used, however often [GV-05]', () => {
    const by = (...contents: string[]) => contents.map((content, at) => ({ userId: String(at), content }))
    const rare = 'contraception '.repeat(20)
    expect(findSharedWords(by('contract', 'contract', 'contract', 'contract', rare))).toEqual(['contrac…'])
    expect(findSharedWords(by('contract', 'contract', 'contract', 'contract', `contract ${rare}`))).toEqual([
      'contract',
    ])
    expect(findSharedWords(by('entrepôt', 'entrepôt', 'entrepôts', 'entrepôts', 'entrepôts'))).toEqual([
      'entrepôt',
    ])
  })

  it('are shown to managers of the project only [GV-05]', async () => {
    await join(5)
    await group()
    expect((await list(readers[0])).status).toBe(403)
    const [first] = await groups()
    expect((await decide(first!.id, 'dismissed', readers[0])).status).toBe(403)
    expect(JSON.stringify((await list()).body)).not.toContain(readers[0]!.user.id)
    const other = await house.aProject(manager, 'Other')
    const url = `/projects/${other}/unanswered/${first!.id}`
    expect((await manager.call('PUT', url, { state: 'answered' })).status).toBe(404)
  })

  it('are answered until five people ask again, or dismissed [GV-05]', async () => {
    await join(5)
    await group()
    const { id } = (await groups())[0]!
    expect((await decide(id, 'answered')).body).toMatchObject({ state: 'answered', askers: 5 })
    for (const reader of readers.slice(0, 4)) await asked(reader, PARKING)
    await asked(readers[0]!, PARKING)
    await group()
    expect(await groups()).toMatchObject([{ state: 'answered', askers: 5 }])
    await asked(readers[4]!, PARKING)
    await group()
    expect(await groups()).toMatchObject([{ state: 'open', askers: 5 }])
    await decide(id, 'dismissed')
    for (const reader of readers.slice(0, 5)) await asked(reader, PARKING)
    await group()
    expect(await groups()).toMatchObject([{ state: 'dismissed' }])
  })

  it('look the same until five more people have asked, so that no change points to one of them [GV-05]', async () => {
    await join(4, `${PARKING} Electric`)
    await join(5)
    await group()
    const before = (await list()).body
    expect(before.items).toMatchObject([{ askers: 5, words: expect.not.arrayContaining(['electric']) }])
    for (const reader of readers.slice(5, 9)) {
      await house.add(manager, project, 'reader', reader.user.id)
      await asked(reader, `${PARKING} Electric`)
      await group()
      expect((await list()).body).toEqual(before)
    }
    await house.add(manager, project, 'reader', readers[9]!.user.id)
    await asked(readers[9]!, `${PARKING} Electric`)
    await group()
    expect(await groups()).toMatchObject([{ askers: 10, words: expect.arrayContaining(['electric']) }])
  })

  it('look the same when an asker leaves the project or manages it [GV-05]', async () => {
    await join(5)
    await group()
    const before = (await list()).body
    await sql`update workspace_members set role = 'manager' where workspace_id = ${project}`.execute(db())
    await group()
    expect((await list()).body).toEqual(before)
    await sql`delete from workspace_members where workspace_id = ${project} and person_id = ${readers[0]?.user.id}`.execute(
      db(),
    )
    await group()
    expect((await list()).body).toEqual(before)
  })

  it('show no name of a colleague, also when five people wrote it [GV-05]', async () => {
    const set = (name: string) =>
      sql`update users set full_name = ${name} where id = ${readers[9]?.user.id}`.execute(db())
    await set('Agnès Marchetti-Villeneuve')
    await join(5, 'When does Agnes Marchetti of Villeneuve reopen the warehouse?')
    await group()
    expect(await groups()).toMatchObject([{ words: ['reopen', 'warehouse'] }])
    await set('')
  })

  it('leave no vector behind when their chats are deleted [GV-05]', async () => {
    const sessions = await join(5)
    await group()
    const stored = async () =>
      (await sql`select from unanswered_groups where workspace_id = ${project}`.execute(db())).rows.length
    expect(await stored()).toBe(1)
    for (const id of sessions) await sql`delete from sessions where id = ${id}`.execute(db())
    await group()
    expect(await stored()).toBe(0)
  })

  it('join the groups of an earlier embedding model, which get new vectors [GV-05]', async () => {
    await join(4)
    await group()
    await sql`update unanswered_groups set model = 'earlier' where workspace_id = ${project}`.execute(db())
    await sql`update unanswered_questions set vector = ${Buffer.alloc(8)} where workspace_id = ${project}`.execute(
      db(),
    )
    await house.add(manager, project, 'reader', readers[4]!.user.id)
    await asked(readers[4]!, PARKING)
    await group()
    await group()
    expect(await groups()).toMatchObject([{ askers: 5 }])
  })

  it('are not crowded out by one person who asks often [GV-05]', async () => {
    const sessions = await join(5)
    await group()
    const { rows } = await sql<{ id: string }>`insert into messages (session_id, role, content, created_at)
      select ${sessions[0]}, 'user', 'Where may visitors park near the depot?', clock_timestamp() from generate_series(1, 240)
      returning id`.execute(db())
    await sql`insert into unanswered_questions (message_id, session_id, workspace_id, user_id)
      select id::uuid, ${sessions[0]}, ${project}, ${readers[0]?.user.id}
      from unnest(${rows.map(({ id }) => id)}::text[]) id`.execute(db())
    await group()
    await group()
    await house.add(manager, project, 'reader', readers[5]!.user.id)
    for (const reader of readers.slice(1, 6)) await asked(reader, PARKING)
    await group()
    const { rows: left } = await sql`select from unanswered_questions where user_id = ${readers[0]?.user.id}
      and workspace_id = ${project}`.execute(db())
    expect(left).toHaveLength(200)
    expect(await groups()).toMatchObject([{ askers: 6, words: expect.arrayContaining(['warehouse']) }])
  }, 60_000)

  it('cannot be decided while too few people asked [GV-05]', async () => {
    const sessions = await join(5)
    await group()
    const { id } = (await groups())[0]!
    await sql`delete from sessions where id = ${sessions[0]}`.execute(db())
    expect((await decide(id, 'answered')).status).toBe(404)
  })
})

describe('a reply', () => {
  it('leaves a question unanswered when it says so or claims something without a source', () => {
    expect(isUnanswered('The documents do not contain an answer to this. Searched: “a.txt”.')).toBe(true)
    expect(isUnanswered('Les documents ne contiennent pas de réponse à cette question.')).toBe(true)
    expect(isUnanswered('Visitors park behind the warehouse, on the eastern side.')).toBe(true)
    const cited =
      'The rent is 4 200 euros <citation chunk="99999999-0000-4000-8000-000000000000">[1]</citation>.'
    expect(isUnanswered(cited)).toBe(false)
    expect(isUnanswered('Hello!')).toBe(false)
  })

  type More = { documents?: boolean; temporary?: boolean; role?: 'reader' | 'manager' }

  async function answer(reply: string, more: More = {}) {
    const own = await house.aProject(manager, 'Own')
    const reader = readers[0]!
    await house.add(manager, own, more.role ?? 'reader', reader.user.id)
    const { body } =
      more.documents === false
        ? { body: null }
        : await manager.upload({
            name: 'a.txt',
            content: 'The rent is 9 euros.',
            fields: { workspace_id: own },
          })
    if (body) await manager.processed(body.id)
    const { body: session } = await reader.call('POST', '/sessions', {
      workspace_id: own,
      model_name: 'compatible/scripted',
      ...(more.temporary && { is_temporary: true }),
    })
    chat.model.always(() => [says(reply)])
    const stream = await openStream(`${chat.url}/sessions/${session.id}/messages`, {
      method: 'POST',
      headers: reader.user.headers,
      body: { content: 'Where may visitors park?' },
    })
    await stream.ended
    // The run is settled after its last event.
    const status = async () => (await reader.call('GET', `/sessions/${session.id}`)).body.status
    await expect.poll(status).toBe('COMPLETED')
    const { rows } = await sql<{
      user_id: string
      content: string
    }>`select q.user_id, m.content from unanswered_questions q
      join messages m on m.id = q.message_id where q.workspace_id = ${own}`.execute(db())
    return rows
  }

  it('without a source records the question of its project, one with an answer does not [GV-05]', async () => {
    expect(await answer('NOT_IN_DOCUMENTS')).toMatchObject([
      { user_id: readers[0]?.user.id, content: 'Where may visitors park?' },
    ])
    expect(await answer('The rent is 9 euros [1].')).toEqual([])
    expect(await answer('Visitors park behind the warehouse.', { documents: false })).toEqual([])
  })

  it('does not count for a manager, nor in a temporary chat [GV-05]', async () => {
    expect(await answer('NOT_IN_DOCUMENTS', { role: 'manager' })).toEqual([])
    expect(await answer('NOT_IN_DOCUMENTS', { temporary: true })).toEqual([])
  })

  it('counts for its author in a shared chat, not for the owner of the chat [GV-05]', async () => {
    const writer = readers[0]!
    await house.add(manager, project, 'writer', writer.user.id)
    const sessions = [await house.aChat(manager, project), await house.aChat(manager, project)]
    chat.model.always(() => [says('NOT_IN_DOCUMENTS')])
    for (const session of sessions) {
      const stream = await openStream(`${chat.url}/sessions/${session}/messages`, {
        method: 'POST',
        headers: writer.user.headers,
        body: { content: 'Where may visitors park?' },
      })
      await stream.ended
    }
    const stored = async () =>
      (
        await sql`select user_id from unanswered_questions
        where workspace_id = ${project}`.execute(db())
      ).rows
    await expect.poll(stored).toEqual(sessions.map(() => ({ user_id: writer.user.id })))
  })

  it('does not count for a person who did not write the question [GV-05]', async () => {
    const author = readers[1]!
    await house.add(manager, project, 'writer', author.user.id)
    const session = await house.aChat(author, project)
    const { rows } = await sql<{ id: string }>`select id from messages where session_id = ${session}
      and role = 'user'`.execute(db())
    const record = (askerId: string) =>
      insertUnanswered(db(), {
        ...{ runId: randomUUID(), replyId: randomUUID(), messageId: rows[0]!.id, hasSearched: true },
        askerId,
      })
    const stored = () => sql`select from unanswered_questions where session_id = ${session}`.execute(db())
    await record(readers[0]!.user.id)
    await sql`update messages set is_by_others = true where session_id = ${session}`.execute(db())
    await record(author.user.id)
    await record(readers[0]!.user.id)
    expect((await stored()).rows).toEqual([])
    await sql`update messages set is_by_others = false where session_id = ${session}`.execute(db())
    await record(author.user.id)
    expect((await stored()).rows).toHaveLength(1)
  })
})
