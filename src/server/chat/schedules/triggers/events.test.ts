import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { says } from '#tests/model-server.ts'
import { type Scheduling, startScheduling } from '#tests/scheduling.ts'
import { aDocument } from '#tests/stored-document.ts'

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Any = any

let made: Scheduling
beforeAll(async () => {
  made = await startScheduling()
})
afterAll(() => made.chat.close())
beforeEach(async () => {
  made.chat.model.forget()
  made.chat.model.always([says('Fine.')])
  made.chat.model.requests.length = 0
  await sql`delete from schedules`.execute(made.db)
  await sql`delete from sessions`.execute(made.db)
  await made.moveTo('2027-01-04T06:00:00Z')
})

const call = (method: string, path: string, body?: unknown) => made.chat.call(method, path, body)
const field = (name: string) => ({ name, label: '', type: 'text', required: false })
const deliveries = async (id: string): Promise<Any[]> =>
  (await call('GET', `/schedules/${id}/deliveries`)).body.items
const states = async (id: string) => (await made.log(id)).map(({ state }) => state)
const rest = (id: string, ...expected: string[]) =>
  expect.poll(() => states(id), { timeout: 15_000 }).toEqual(expected)

async function aProject(): Promise<string> {
  const { status, body } = await call('POST', '/workspaces', { name: 'Lyon' })
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body.id
}
const addTo = async (workspaceId: string, documentId: string) =>
  sql`insert into workspace_documents (workspace_id, document_id) values (${workspaceId}, ${documentId})
    on conflict do nothing`.execute(made.db)
/** Creates a document that was read. */
async function aReadDocument() {
  const { documentId } = await aDocument(made.chat.app, made.chat.user)
  await sql`update documents set status = 'completed' where id = ${documentId}`.execute(made.db)
  return { documentId }
}
const readAgain = async (documentId: string, version?: number) => {
  await sql`update documents set status = 'queued' where id = ${documentId}`.execute(made.db)
  await sql`update documents set status = 'completed', version = coalesce(${version ?? null}::int, version)
    where id = ${documentId}`.execute(made.db)
}

describe('a schedule of a project', () => {
  it('starts once for each new and each changed document, which the run may read [TG-01]', async () => {
    const [project, other] = [await aProject(), await aProject()]
    const id = await made.aSchedule({
      ...{ rule: { kind: 'document', workspace_id: project }, text: 'Summarize {{document}}.' },
      fields: [field('document')],
    })
    const { documentId } = await aReadDocument()
    const elsewhere = await aReadDocument()
    await addTo(other, elsewhere.documentId)
    expect(await deliveries(id)).toEqual([])
    await addTo(project, documentId)
    await made.run()
    await rest(id, 'completed')
    const [first] = await deliveries(id)
    const { name } = (await call('GET', `/documents/${documentId}`)).body
    expect(first).toMatchObject({ kind: 'document', about: name, run: { state: 'completed' } })
    const { rows } = await sql<Any>`select content, metadata, is_by_others from messages
      where session_id = ${first.run.session_id} and role = 'user' order by created_at limit 1`.execute(
      made.db,
    )
    expect(rows[0].content).toContain(JSON.stringify({ document: name }, null, 2))
    expect(rows[0]).toMatchObject({
      is_by_others: true,
      metadata: { mentions: [{ kind: 'document', id: documentId }] },
    })
    // Reading it again changes nothing; a new version does.
    await readAgain(documentId)
    await readAgain(documentId, 2)
    await readAgain(documentId, 2)
    await made.run()
    await rest(id, 'completed', 'completed')
  })

  it('does not start while it is paused, or after its owner left the project', async () => {
    const project = await aProject()
    const id = await made.aSchedule({ rule: { kind: 'document', workspace_id: project } })
    await call('PUT', `/schedules/${id}/state`, { state: 'paused' })
    const { documentId } = await aReadDocument()
    await addTo(project, documentId)
    await call('PUT', `/schedules/${id}/state`, { state: 'on' })
    const bea = await made.aColleague()
    await sql`update workspaces set user_id = ${bea.id}, is_default = false where id = ${project}`.execute(
      made.db,
    )
    await readAgain(documentId, 2)
    expect(await deliveries(id)).toEqual([])
  })

  it('starts at most 60 times an hour, and lists the event that is refused', async () => {
    const project = await aProject()
    const id = await made.aSchedule({ rule: { kind: 'document', workspace_id: project } })
    await sql`insert into trigger_deliveries (schedule_id, kind, foreign_id, status)
      select ${id}, 'document', 'x' || n, 202 from generate_series(1, 60) n`.execute(made.db)
    const { documentId } = await aReadDocument()
    await addTo(project, documentId)
    expect((await deliveries(id))[0]).toMatchObject({ status: 429, run: null })
    expect(await states(id)).toEqual([])
  })

  it('stores at most a hundred refused events of an hour', async () => {
    const project = await aProject()
    const id = await made.aSchedule({ rule: { kind: 'document', workspace_id: project } })
    await sql`insert into trigger_deliveries (schedule_id, kind, foreign_id, status)
      select ${id}, 'document', 'x' || n, case when n > 99 then 202 else 429 end from generate_series(1, 159) n`.execute(
      made.db,
    )
    const refused = async () => (await call('GET', `/schedules/${id}/deliveries`)).body.refused
    await addTo(project, (await aReadDocument()).documentId)
    expect(await refused()).toBe(100)
    await addTo(project, (await aReadDocument()).documentId)
    expect(await refused()).toBe(100)
  })

  it('fails with the reason when the owner may no longer read the document', async () => {
    const project = await aProject()
    const id = await made.aSchedule({ rule: { kind: 'document', workspace_id: project } })
    const { documentId } = await aReadDocument()
    await addTo(project, documentId)
    const bea = await made.aColleague()
    await sql`delete from workspace_documents`.execute(made.db)
    await sql`update documents set user_id = ${bea.id} where id = ${documentId}`.execute(made.db)
    await made.run()
    await rest(id, 'failed')
    expect((await deliveries(id))[0].about).toBeNull()
  })

  it('is refused for a project that its owner may not read', async () => {
    const bea = await made.aColleague()
    const { body } = await made.chat.call(
      'POST',
      '/workspaces',
      { name: 'Private' },
      bea.headers as Record<string, string>,
    )
    const schedule = {
      name: 'A',
      text: 'B',
      time_zone: 'UTC',
      rule: { kind: 'document', workspace_id: body.id },
    }
    expect((await call('POST', '/schedules', schedule)).status).toBe(403)
  })
})

describe('a schedule after a run', () => {
  it('starts when another schedule has run, with its result as data [TG-01]', async () => {
    const first = await made.aSchedule({ name: 'Watch' })
    const second = await made.aSchedule({
      ...{ rule: { kind: 'schedule_run', schedule_id: first }, text: 'Translate {{result}}.' },
      fields: [field('result')],
    })
    made.chat.model.reply([says('Servia raised its prices.')])
    await call('POST', `/schedules/${first}/runs`, { client_id: crypto.randomUUID() })
    await made.run()
    await rest(first, 'completed')
    await made.run()
    await rest(second, 'completed')
    expect(JSON.stringify(made.chat.model.requests.at(-1)?.messages)).toContain('Servia raised its prices.')
    expect(await deliveries(second)).toMatchObject([{ kind: 'run', about: 'Watch' }])
  })

  it('never starts itself, alone or in a circle', async () => {
    const first = await made.aSchedule({ target: 'new_chats' })
    const rule = { kind: 'schedule_run', schedule_id: first }
    expect((await call('PATCH', `/schedules/${first}`, { rule })).status).toBe(422)
    const second = await made.aSchedule({ rule, target: 'new_chats' })
    await call('PATCH', `/schedules/${first}`, { rule: { kind: 'schedule_run', schedule_id: second } })
    await call('POST', `/schedules/${first}/runs`, { client_id: crypto.randomUUID() })
    for (const id of [first, second]) {
      await made.run()
      await rest(id, 'completed')
    }
    await made.run()
    expect([await states(first), await states(second)]).toEqual([['completed'], ['completed']])
  })

  it('starts when a person asked something in a chat of the project, unless the chat is private to someone else', async () => {
    const project = await aProject()
    const id = await made.aSchedule({
      rule: { kind: 'project_run', workspace_id: project },
      target: 'new_chats',
    })
    const ask = async (headers?: Record<string, string>) => {
      const { body: session } = await made.chat.call('POST', '/sessions', { workspace_id: project }, headers)
      await sql`update sessions set model_name = 'compatible/scripted' where id = ${session.id}`.execute(
        made.db,
      )
      const { status } = await made.chat.call(
        'POST',
        '/messages',
        { chat_session_id: session.id, content: 'What is new?', role: 'user' },
        headers,
      )
      expect(status).toBeLessThan(300)
      await expect
        .poll(
          async () =>
            (
              await sql<Any>`select state from runs where session_id = ${session.id} order by id limit 1`.execute(
                made.db,
              )
            ).rows[0]?.state,
          { timeout: 15_000 },
        )
        .toBe('completed')
    }
    await ask()
    expect(await deliveries(id)).toMatchObject([{ kind: 'run' }])
    const bea = await made.aColleague()
    await sql`insert into workspace_members (workspace_id, person_id, role) values (${project}, ${bea.id}, 'writer')`.execute(
      made.db,
    )
    await ask(bea.headers as Record<string, string>)
    expect(await deliveries(id)).toHaveLength(1)
    await made.run()
    await rest(id, 'completed')
    // Its own run, in a chat outside of the project or in it, starts nothing.
    await made.run()
    expect(await deliveries(id)).toHaveLength(1)
  })
})
