import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aSession, aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'

let app: TestApp
let base: string
let companyId: string
let ada: Reader
let ben: Reader
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
  companyId = await aCompany(app)
  const { db } = app.deps
  await db.updateTable('companies').set({ members_share: true }).where('id', '=', companyId).execute()
  ada = await aColleague()
  ben = await aColleague()
})
afterAll(() => app.close())

const aColleague = async () => aReader(app, base, await aUser(app, { role: 'member', companyId }))

type Project = { id: string; chatId: string; documentId: string }

/** Creates a project of Ada that Ben manages too, with a shared chat and a document. */
async function aProject(name = 'Leases'): Promise<Project> {
  const id = (await ada.call('POST', '/workspaces', { name })).body.id
  const recipient = { who: 'person', id: ben.user.id }
  await ada.call('POST', `/projects/${id}/members`, { recipient, role: 'manager' })
  const { id: chatId } = await aSession(app, ada.user, { turns: 1 })
  await ada.call('PUT', '/session-projects', {
    items: [{ session_id: chatId, workspace_id: id, is_shared: true }],
  })
  const { body } = await ada.upload({ name: `${id}.txt`, content: name, fields: { workspace_id: id } })
  return { id, chatId, documentId: body.id }
}

const archive = (as: Reader, id: string) => as.call('PUT', `/projects/${id}/archive`)
const restore = (as: Reader, id: string) => as.call('DELETE', `/projects/${id}/archive`)

/** Statuses of every call that would change a project. */
async function changes(as: Reader, { id, chatId, documentId }: Project): Promise<number[]> {
  const recipient = { who: 'person', id: (await aUser(app, { role: 'member', companyId })).id }
  const { id: own } = await aSession(app, as.user, { turns: 1 })
  const calls = [
    as.call('POST', `/sessions/${chatId}/messages`, { content: 'Go', without_reply: true }),
    as.call('POST', '/sessions', { workspace_id: id }),
    as.call('PUT', '/session-projects', { items: [{ session_id: own, workspace_id: id }] }),
    as.upload({ name: `${Math.random()}.txt`, content: 'x', fields: { workspace_id: id } }),
    as.call('POST', `/documents/workspace/${id}/documents`, { document_ids: [documentId] }),
    as.call('PUT', `/projects/${id}`, { colour: 'red' }),
    as.call('PUT', `/workspaces/${id}`, { name: 'Other' }),
    as.call('POST', `/projects/${id}/members`, { recipient, role: 'reader' }),
    as.call('PUT', `/projects/${id}/budget`, { period: 'month', amount: 5 }),
    ...(as === ada ? [as.call('POST', `/sessions/${chatId}/links`, { days: 7 })] : []),
    as.call('POST', '/facts', { text: 'The year begins in June', workspace_id: id }),
  ]
  return (await Promise.all(calls)).map(({ status }) => status)
}

const isListed = async (as: Reader, path: string, id: string) =>
  (await as.call('GET', path)).body.items.some((item: { id: string }) => item.id === id)

async function aSchedule(as: Reader, project: string): Promise<string> {
  const things = JSON.stringify([{ kind: 'workspace', id: project, name: 'Leases' }])
  const { rows } = await sql<{ id: string }>`
    insert into schedules (user_id, kind, name, rule, time_zone, anchor_at, text, things, planned_until)
    values (${as.user.id}, 'prompt', 'Weekly', '{"kind": "days", "count": 1, "time": "09:00"}', 'UTC', now(), 'Go', ${things}::jsonb,
      now() + interval '1 day') returning id`.execute(app.deps.db)
  const id = rows[0]?.id ?? ''
  await sql`insert into slots (schedule_id, due_at, origin) values (${id}, now() + interval '1 hour', 'rule')`.execute(
    app.deps.db,
  )
  return id
}
const scheduleOf = async (id: string) => {
  const { rows } = await sql<{ state: string; stopped_for: object | null; slots: number }>`
    select state, stopped_for, (select count(*)::int from slots where schedule_id = c.id) as slots
    from schedules c where id = ${id}`.execute(app.deps.db)
  return rows[0]
}

describe('an archived project', () => {
  it('is read-only for its owner and its managers until it is restored [PJ-09]', async () => {
    const project = await aProject()
    expect((await archive(ben, project.id)).body).toMatchObject({ id: project.id, is_archived: true })
    for (const person of [ada, ben]) {
      const refused = await changes(person, project)
      expect(
        refused.every((status) => [403, 404, 409].includes(status)),
        `${refused}`,
      ).toBe(true)
      expect((await person.call('GET', `/sessions/${project.chatId}`)).body.project.may_write).toBe(false)
      expect((await person.call('GET', `/documents/${project.documentId}`)).status).toBe(200)
    }
    expect((await restore(ada, project.id)).body).toMatchObject({ is_archived: false })
    for (const person of [ada, ben]) {
      const allowed = await changes(person, project)
      expect(
        allowed.filter((status) => status >= 300),
        `${allowed}`,
      ).toEqual([])
    }
  })

  it('lets its owner and writers stop a reply, but no reader', async () => {
    const project = await aProject()
    const reader = await aColleague()
    const recipient = { who: 'person', id: reader.user.id }
    await ada.call('POST', `/projects/${project.id}/members`, { recipient, role: 'reader' })
    await archive(ada, project.id)
    const stop = async (as: Reader) => (await as.call('POST', `/sessions/${project.chatId}/stop`)).status
    expect([await stop(ada), await stop(ben), await stop(reader)]).toEqual([200, 200, 403])
  })

  it('is hidden from lists, and search still finds it with a mark [PJ-09]', async () => {
    const { id, chatId } = await aProject('Zwieback tenders')
    await archive(ada, id)
    expect(await isListed(ada, '/projects', id)).toBe(false)
    expect(await isListed(ada, '/workspaces', id)).toBe(false)
    expect(await isListed(ada, '/projects?archived=true', id)).toBe(true)
    const { body } = await ada.call('GET', '/palette?q=zwieback')
    expect(body.items).toMatchObject([{ kind: 'workspace', id, is_archived: true }])
    expect((await ada.call('GET', `/projects/${id}`)).body.is_archived).toBe(true)
    expect(await isListed(ada, `/sessions?workspace_id=${id}`, chatId)).toBe(true)
  })

  it('stops its schedules, and resumes them when it is restored [PJ-09]', async () => {
    const { id } = await aProject()
    const [inside, outside] = [await aSchedule(ben, id), await aSchedule(ben, (await aProject()).id)]
    await archive(ada, id)
    expect(await scheduleOf(inside)).toMatchObject({
      state: 'stopped',
      stopped_for: { code: 'project_archived', name: 'Leases' },
      slots: 0,
    })
    expect(await scheduleOf(outside)).toMatchObject({ state: 'on', slots: 1 })
    await restore(ada, id)
    expect(await scheduleOf(inside)).toMatchObject({ state: 'on', stopped_for: null })
  })

  it('is archived once by two managers at the same time', async () => {
    const { id } = await aProject()
    const answers = await Promise.all([ada, ben, ada, ben].map((person) => archive(person, id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { rows } =
      await sql`select from audit_entries where did = 'project.archived' and subject_id = ${id}`.execute(
        app.deps.db,
      )
    expect(rows).toHaveLength(1)
  })
})

it('shows members their own schedules of a project, and counts those of others', async () => {
  const { id } = await aProject()
  const own = await aSchedule(ada, id)
  await aSchedule(ben, id)
  const { body } = await ada.call('GET', `/projects/${id}/schedules`)
  expect(body).toMatchObject({ items: [{ id: own, name: 'Weekly', state: 'on' }], others: 1 })
  expect(body.items[0].sentence).not.toBe('')
  expect(body.items[0].next_at).not.toBeNull()
})
