import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { aClassifiedProject, classesOf, openAll, restrict } from '#tests/classified.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { calls, fails, type ModelServer, says, startModelServer, waits } from '#tests/model-server.ts'
import { goBack, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'
import { nameChat } from '../titles/titles.ts'

let chat: Chat
let spare: ModelServer
let ada: Reader
let company: string
let classes: string[]
let plan: string
beforeAll(async () => {
  spare = await startModelServer({ models: ['spare'] })
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  company = await aCompany(chat.app, 'Orsane')
  const { db } = chat.app.deps
  await sql`insert into company_members (company_id, user_id) values (${company}, ${chat.user.id})`.execute(
    db,
  )
  classes = await classesOf(chat.app, company)
  ada = await aReader(chat.app, chat.url, chat.user)
  plan = await read('salaries.txt', SECRET)
  await sql`insert into model_connections (provider, name, kind, base_url)
    values ('spare', 'Spare', 'compatible', ${spare.url})`.execute(db)
}, 60_000)
afterAll(async () => {
  await chat.close()
  await spare.close()
})
beforeEach(async () => {
  chat.model.forget()
  chat.model.requests.length = 0
  spare.requests.length = 0
  await openAll(chat.app, company)
  await setClass(plan, 2)
})

const SECRET = 'The salary of the harbour master is 91 417 euros.'
const NUMBER = '91 417'

async function read(name: string, content: string): Promise<string> {
  const { body } = await ada.upload({ name, content })
  await ada.processed(body.id)
  return body.id
}
const setClass = (id: string, at: number) =>
  sql`update documents set class_id = ${classes[at]} where id = ${id}`.execute(chat.app.deps.db)
/** Lets a provider receive public and internal data only. */
const close = (provider = 'compatible') => restrict(chat.app, company, provider, classes.slice(0, 2))

async function ask(sessionId: string, content: string, more: object = {}) {
  const stream = await chat.ask(sessionId, { content, ...more })
  await stream.ended
  const { reply, run } = await readRun(chat.app, stream.view()!.run_id)
  const problem = reply.blocks.find((block) => block.type === 'error') as { error?: string } | undefined
  return { reply, run, problem: problem?.error ?? null, stream }
}
async function aChat(documents: string[], metadata = {}) {
  const id = await chat.aSession({ metadata })
  for (const one of documents) await chat.call('POST', `/sessions/${id}/documents/${one}`)
  return id
}
const received = (model = chat.model) => JSON.stringify(model.requests).includes(NUMBER)
const REFUSED = 'The document “salaries.txt” has the class “Confidential”, which'

describe('a reply that would send text of a class its provider may not receive', () => {
  it('stops before the call and names document, class and ways out', async () => {
    await close()
    const id = await aChat([plan])
    const { run, problem } = await ask(id, 'What is the salary of the harbour master?')
    expect(run).toMatchObject({ state: 'failed', error: { code: 'class_refused' } })
    expect(problem).toMatch(REFUSED)
    expect(problem).toContain('Choose a model that may receive it')
    expect(chat.model.requests).toEqual([])
    const { body } = await chat.call('GET', `/sessions/${id}/refused-providers`)
    expect(body.items).toMatchObject([{ provider: 'compatible', reason: expect.stringMatching(REFUSED) }])
    // The class is lowered, so the same chat continues.
    await setClass(plan, 1)
    expect((await ask(id, 'And now?')).run.state).toBe('completed')
    expect(received()).toBe(true)
  })

  it('names no document that the person may not read', async () => {
    const id = await aChat([plan])
    await ask(id, 'What is the salary?')
    const { id: other } = await aUser(chat.app)
    const { db } = chat.app.deps
    const [own] = await db.selectFrom('documents').select('user_id').where('id', '=', plan).execute()
    await close()
    await db.updateTable('documents').set({ user_id: other }).where('id', '=', plan).execute()
    try {
      await chat.call('DELETE', `/sessions/${id}/documents/${plan}`)
      const hidden = 'A source of this chat has the class “Confidential”, which'
      expect((await ask(id, 'Double it')).problem).toMatch(hidden)
      const { body } = await chat.call('GET', `/sessions/${id}/refused-providers`)
      expect(body.items).toMatchObject([{ reason: expect.stringMatching(hidden) }])
    } finally {
      await db.updateTable('documents').set(own!).where('id', '=', plan).execute()
    }
  })

  it('gives its class to a file of the reply that is saved to the library', async () => {
    const id = await aChat([plan])
    const { run } = await ask(id, 'What is the salary?')
    const plain = await ask(await aChat([]), 'Hello')
    const { db } = chat.app.deps
    const save = async (runId: string) => {
      const media = await sql<{
        id: string
      }>`insert into media (id, run_id, user_id, name, media_type, size, file_key)
        values (gen_random_uuid(), ${runId}, ${chat.user.id}, 'a.txt', 'text/plain', 1, ${runId}) returning id`.execute(
        db,
      )
      const form = new FormData()
      form.set('media_id', media.rows[0]!.id)
      form.set('file', new Blob([`Saved ${runId}`]), 'saved.txt')
      const answer = await fetch(`${chat.url}/documents/upload`, {
        method: 'POST',
        headers: chat.user.headers,
        body: form,
      })
      const { rows } =
        await sql`select class_id from documents where id = ${((await answer.json()) as { id: string }).id}`.execute(
          db,
        )
      return rows
    }
    expect(await save(run.id)).toEqual([{ class_id: classes[2] }])
    expect(await save(plain.run.id)).toEqual([{ class_id: classes[1] }])
  })

  it('is answered by another model that may receive it', async () => {
    await close()
    const id = await aChat([plan])
    const { run } = await ask(id, 'What is the salary?', { model_name: 'spare/spare' })
    expect([run.state, received(spare), chat.model.requests.length]).toEqual(['completed', true, 0])
  })

  it('stops a later turn of the same chat, its fork and a chat that quotes it, but no branch before the document', async () => {
    const id = await chat.aSession()
    const first = await ask(id, 'Hello')
    await chat.call('POST', `/sessions/${id}/documents/${plan}`)
    chat.model.reply([says(`It is ${NUMBER}.`)])
    const second = await ask(id, 'What is the salary?')
    expect(second.run.state).toBe('completed')
    await chat.call('DELETE', `/sessions/${id}/documents/${plan}`)
    await close()
    chat.model.requests.length = 0
    const { body: copy } = await chat.call('POST', `/sessions/${id}/messages/${second.reply.id}/fork`, {})
    expect((await ask(id, 'Double it')).problem).toMatch(REFUSED)
    expect((await ask(copy.id, 'Double it')).problem).toMatch(REFUSED)
    const quoting = await ask(await chat.aSession(), 'Sum up', { mentions: [{ kind: 'session', id }] })
    expect(quoting.problem).toMatch(REFUSED)
    expect(chat.model.requests).toEqual([])
    const { body: early } = await chat.call('POST', `/sessions/${id}/messages/${first.reply.id}/fork`, {})
    expect((await ask(early.id, 'Something else')).run.state).toBe('completed')
    expect(received()).toBe(false)
  })

  it('stops after the tool that read the document', async () => {
    await close()
    const id = await aChat([plan], { agent_type: 'multi_turn' })
    await sql`update documents set class_id = ${classes[0]} where id = ${plan}`.execute(chat.app.deps.db)
    const gate = aGate()
    chat.model.reply([
      waits(gate.opened),
      calls('document_search', { query: 'salary of the harbour master' }),
    ])
    const asked = ask(id, 'Search for it')
    while (chat.model.requests.length === 0) await sleep(10)
    // The document moves to a stricter project while the model writes.
    const project = await aClassifiedProject(chat.app, chat.user, classes[3] ?? null)
    await sql`insert into workspace_documents (workspace_id, document_id) values (${project}, ${plan})`.execute(
      chat.app.deps.db,
    )
    gate.open()
    const { problem } = await asked
    expect(problem).toContain('“Strictly confidential”')
    expect(chat.model.requests).toHaveLength(1)
    await sql`delete from workspaces where id = ${project}`.execute(chat.app.deps.db)
  })

  it('does not reach a fallback that may not receive it', async () => {
    await sql`insert into model_overrides (model_id, fallback_id) values ('compatible/scripted', 'spare/spare')
      on conflict (model_id) do update set fallback_id = excluded.fallback_id`.execute(chat.app.deps.db)
    await close('spare')
    const id = await aChat([plan])
    chat.model.reply([fails(401, 'no such key')])
    const refused = await ask(id, 'What is the salary?')
    expect([refused.run.state, spare.requests.length]).toEqual(['failed', 0])
    await openAll(chat.app, company)
    chat.model.reply([fails(401, 'no such key')])
    expect((await ask(id, 'And now?')).run.state).toBe('completed')
    expect(received(spare)).toBe(true)
    await sql`delete from model_overrides`.execute(chat.app.deps.db)
    // A key that was refused rests for a while.
    await sql`delete from model_key_rests`.execute(chat.app.deps.db).catch(() => undefined)
  })

  it('is not repeated after its class was raised between two tries', async () => {
    await setClass(plan, 1)
    await close()
    const id = await aChat([plan])
    chat.model.reply([fails(503, 'busy', 1)])
    const asked = ask(id, 'What is the salary?')
    while (chat.model.requests.length === 0) await sleep(10)
    await setClass(plan, 3)
    expect((await asked).problem).toContain('“Strictly confidential”')
    expect(chat.model.requests).toHaveLength(1)
  })

  it('stops in a run that is resumed after its process was killed', async () => {
    const id = await aChat([plan], { agent_type: 'multi_turn' })
    chat.model.reply([calls('calculator', { a: 6, b: 7, operation: 'multiply' })], [says('42')])
    const { run } = await ask(id, 'What is the salary, and 6 times 7?')
    const { keys } = await readRun(chat.app, run.id)
    // The answer after the tool was lost.
    await goBack(
      chat,
      run.id,
      keys.findLastIndex((key) => key.startsWith('step:model')),
    )
    await chat.call('DELETE', `/sessions/${id}/documents/${plan}`)
    await close()
    chat.model.requests.length = 0
    const resumed = await resume(chat, run.id)
    expect(resumed.run).toMatchObject({ state: 'failed', error: { code: 'class_refused' } })
    expect(chat.model.requests).toEqual([])
  })

  it('counts for titles and working memory', async () => {
    const id = await aChat([plan])
    const { run } = await ask(id, 'What is the salary?')
    await close()
    chat.model.requests.length = 0
    await nameChat(
      { ...chat.app.deps, config: { ...chat.app.deps.config, ATRIUM_TITLES: 'model' } },
      run.id,
      AbortSignal.timeout(5_000),
    )
    expect(chat.model.requests).toEqual([])
    await openAll(chat.app, company)
    await nameChat(
      { ...chat.app.deps, config: { ...chat.app.deps.config, ATRIUM_TITLES: 'model' } },
      run.id,
      AbortSignal.timeout(5_000),
    )
    expect(chat.model.requests).toHaveLength(1)
  })

  it('counts for a summary that the person asks for', async () => {
    const id = await aChat([plan])
    await ask(id, 'What is the salary?')
    await close()
    chat.model.requests.length = 0
    const { status, body } = await chat.call('POST', `/sessions/${id}/summary`)
    expect([status, body.code]).toEqual([403, 'class_refused'])
    expect(chat.model.requests).toEqual([])
  })

  it('stops in a copy of a shared chat, and after a reply that was compared', async () => {
    const id = await aChat([plan])
    await ask(id, 'What is the salary?')
    const { body: link } = await chat.call('POST', `/sessions/${id}/links`, { documents: [plan] })
    const token = new URL(link.url, 'http://house').pathname.split('/').at(-1)
    const { body: copy } = await chat.call('POST', `/shared/${token}/copy`)
    const { rows } = await sql<{ class_id: string }>`select class_id from documents d
      join session_documents s on s.document_id = d.id where s.session_id = ${copy.session_id}`.execute(
      chat.app.deps.db,
    )
    expect(rows).toEqual([{ class_id: classes[2] }])
    await sql`delete from session_documents where session_id = ${copy.session_id}`.execute(chat.app.deps.db)
    const compared = await aChat([plan])
    await chat.call('POST', `/sessions/${compared}/comparisons`, {
      ...{ content: 'What is the salary?', client_id: crypto.randomUUID() },
      model_names: ['compatible/scripted', 'spare/spare'],
    })
    const branch = async () =>
      (await chat.call('GET', `/sessions/${compared}/active-branch`)).body.active_branch
    await expect.poll(async () => (await branch()).at(-1)?.status, { timeout: 20_000 }).toBe('completed')
    const whole = (await branch()).at(-1)
    const { replies } = (await chat.call('GET', `/sessions/${compared}/messages/${whole.id}/comparison`)).body
    await chat.call('DELETE', `/sessions/${compared}/documents/${plan}`)
    await close()
    chat.model.requests.length = 0
    expect((await ask(copy.session_id, 'Double it')).problem).toMatch(REFUSED)
    const next = await ask(compared, 'Double it', {
      parent_id: replies[1].message_id,
      model_name: 'compatible/scripted',
    })
    expect(next.problem).toMatch(REFUSED)
    expect(chat.model.requests).toEqual([])
  })

  it('stops in a response of a program that continues an earlier one', async () => {
    const { headers } = await anApiKey(chat.app, chat.user, { scopes: ['chat', 'documents.read'] })
    const respond = async (body: object) => {
      const answer = await fetch(`${chat.url.replace('/api/v1', '')}/v1/responses`, {
        ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
        body: JSON.stringify({ model: 'compatible/scripted', ...body }),
      })
      return {
        status: answer.status,
        body: (await answer.json()) as { id: string; error?: { message: string } },
      }
    }
    const file = { type: 'input_file', file_id: plan }
    const input = [{ role: 'user', content: [file, { type: 'input_text', text: 'What is the salary?' }] }]
    const first = await respond({ input })
    expect([first.status, received()]).toEqual([200, true])
    await close()
    chat.model.requests.length = 0
    const { status, body } = await respond({ input: 'Double it', previous_response_id: first.body.id })
    expect([status, body.error?.message]).toEqual([403, expect.stringMatching(REFUSED)])
    expect((await respond({ input })).status).toBe(403)
    expect(chat.model.requests).toEqual([])
  })

  it('names the reason in the language of the person', async () => {
    await close()
    await sql`update users set language = 'fr' where id = ${chat.user.id}`.execute(chat.app.deps.db)
    const { problem } = await ask(await aChat([plan]), 'Quel est le salaire ?')
    expect(problem).toContain('est de la classe « Confidentiel », que')
    await sql`update users set language = 'en' where id = ${chat.user.id}`.execute(chat.app.deps.db)
  })

  it('carries the class of the project of its chat', async () => {
    await close()
    const id = await chat.aSession()
    const project = await aClassifiedProject(chat.app, chat.user, classes[3] ?? null)
    await sql`update sessions set workspace_id = ${project} where id = ${id}`.execute(chat.app.deps.db)
    expect((await ask(id, 'Hello')).problem).toContain('has the class “Strictly confidential”')
    expect(chat.model.requests).toEqual([])
  })
})

describe('a call to a service outside', () => {
  it('is refused while the run carries a class that the web may not receive', async () => {
    await restrict(chat.app, company, 'web', classes.slice(0, 2))
    await sql`update companies set outward_calls = 'off' where id = ${company}`.execute(chat.app.deps.db)
    const id = await aChat([plan], { agent_type: 'multi_turn' })
    chat.model.reply([calls('weather', { location: 'Lyon' })], [says('Refused.')])
    const { reply, run } = await ask(id, 'What is the salary, and the weather?')
    expect(run.state).toBe('completed')
    const tool = reply.blocks.find((block) => block.type === 'tool')
    expect(JSON.stringify(tool)).toContain('has the class “Confidential”')
  })
})
