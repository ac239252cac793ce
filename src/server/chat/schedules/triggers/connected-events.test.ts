import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { says } from '#tests/model-server.ts'
import { type Scheduling, startScheduling } from '#tests/scheduling.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from '../../../knowledge/connectors/connectors.ts'

const scripted = aScriptedSource()
let made: Scheduling
/** Administrator of the company of the owner of the schedules. */
let admin: Reader
let owner: Reader
let company: string
beforeAll(async () => {
  addSources([scripted.source])
  made = await startScheduling({ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' })
  const { chat } = made
  await chat.app.deps.jobs.start()
  chat.model.always([says('Fine.')])
  owner = await aReader(chat.app, chat.url, chat.user)
  company = (await owner.call('GET', '/users/me')).body.company_affiliations[0].company.id
  admin = await aReader(
    chat.app,
    chat.url,
    await aUser(chat.app, { role: 'company_admin', companyId: company }),
  )
}, 60_000)
afterAll(async () => {
  addSources([])
  await made.chat.close()
})

/** Returns the documents that started a schedule, with the state of their runs, in the order of their names. */
async function startedBy(id: string): Promise<string[]> {
  const { items } = (await owner.call('GET', `/schedules/${id}/deliveries`)).body
  type Item = { about: string | null; status: number; run: { state: string } | null }
  return items.map(({ about, status, run }: Item) => `${about} ${status} ${run?.state}`).sort()
}
const isIn = (workspace: string, connector_id: string, is_in: boolean) =>
  owner.call('POST', `/workspaces/${workspace}/connectors`, { connector_id, is_in })
async function allRead(connector: string) {
  for (const { id } of await documentsOf(made.chat.app, connector)) {
    const status = async () =>
      (await sql<{ status: string }>`select status from documents where id = ${id}`.execute(made.db)).rows[0]
        ?.status
    await expect.poll(status, { timeout: 30_000 }).toBe('completed')
  }
}
/** Reads all documents again without a new version, as for another embedding model. */
async function readAgain(connector: string) {
  for (const status of ['queued', 'completed'])
    await sql`update documents set status = ${status} where connector_id = ${connector}`.execute(made.db)
}
/** One run of a schedule waits for the other. */
const whenRun = async (id: string, expected: string[]) => {
  const look = async () => {
    await made.run()
    return startedBy(id)
  }
  await expect.poll(look, { timeout: 20_000 }).toEqual(expected)
}

describe('a document that a connector puts into a project', () => {
  it('starts the schedules of the project once when it is new and once when it changes', async () => {
    const project = (await owner.call('POST', '/workspaces', { name: 'Lyon' })).body.id
    const schedule = await made.aSchedule({ rule: { kind: 'document', workspace_id: project } })
    scripted.items.set('lease.txt', { text: 'The lease costs 900 euros.' })
    const { id } = await connect(admin, company, { source: 'scripted', settings: {} })
    await synced(admin, id)
    await allRead(id)
    expect(await startedBy(schedule)).toEqual([])

    expect((await isIn(project, id, true)).status).toBe(200)
    await whenRun(schedule, ['lease.txt 202 completed'])

    scripted.items.set('terms.txt', { text: 'The terms of the lease.' })
    await syncNow(admin, id)
    await allRead(id)
    const both = ['lease.txt 202 completed', 'terms.txt 202 completed']
    await whenRun(schedule, both)

    // Neither a sync without changes, nor a renamed item, nor another place is an event.
    scripted.items.set('terms.txt', { text: 'The terms of the lease.', name: 'conditions.txt' })
    await syncNow(admin, id)
    await isIn(project, id, false)
    await isIn(project, id, true)
    await whenRun(schedule, ['conditions.txt 202 completed', 'lease.txt 202 completed'])

    scripted.items.set('lease.txt', { text: 'The lease costs 1,000 euros.' })
    await syncNow(admin, id)
    await allRead(id)
    await whenRun(schedule, [
      ...['conditions.txt 202 completed', 'lease.txt 202 completed', 'lease.txt 202 completed'],
    ])
  }, 60_000)

  it('starts only schedules of people who may read it', async () => {
    const key = (who: Reader) => `user:${who.user.email}`
    const project = (await owner.call('POST', '/workspaces', { name: 'Board' })).body.id
    const schedule = await made.aSchedule({ rule: { kind: 'document', workspace_id: project } })
    scripted.items.clear()
    scripted.items.set('board.txt', { text: 'The board sells the mill.', readers: [key(admin)] })
    scripted.items.set('group.txt', { text: 'The sales of March.', readers: ['group:sales'] })
    scripted.items.set('other.txt', { text: 'The sales of May.', readers: ['group:board'] })
    scripted.items.set('owner.txt', { text: 'The lease of the mill.', readers: [key(owner)] })
    scripted.members = [{ group_key: 'group:sales', address: owner.user.email }]
    const wish = { source: 'scripted', settings: {}, rights: 'mirrored', start: false }
    const { id } = await connect(admin, company, wish)
    expect((await isIn(project, id, true)).status).toBe(200)
    await syncNow(admin, id)
    await allRead(id)
    await whenRun(schedule, ['group.txt 202 completed', 'owner.txt 202 completed'])
    expect((await owner.call('GET', `/schedules/${schedule}`)).body.state).toBe('on')
  }, 60_000)
})

describe('a schedule of a connector that is in no project', () => {
  const on = (connector_id: string) => ({ kind: 'connector_document', connector_id })

  it('starts once when a document is new and once when it changes, and the run may read it [TG-01]', async () => {
    scripted.items.clear()
    scripted.items.set('old.txt', { text: 'The old lease.' })
    const { id } = await connect(admin, company, { source: 'scripted', settings: {} })
    await synced(admin, id)
    await allRead(id)
    const field = { name: 'document', label: '', type: 'text', required: false }
    const wish = { text: 'Summarize {{document}}.', fields: [field], rule: on(id) }
    const schedule = await made.aSchedule(wish)
    expect((await owner.call('GET', `/schedules/${schedule}`)).body.sentence).toBe(
      'When a document of a source is new or changed',
    )
    scripted.items.set('new.txt', { text: 'The new lease.' })
    // Its content is known, so it is complete as soon as it is added.
    scripted.items.set('copy.txt', { text: 'The old lease.' })
    await syncNow(admin, id)
    await allRead(id)
    await whenRun(schedule, ['copy.txt 202 completed', 'new.txt 202 completed'])
    const { rows } = await sql<{
      content: string
      metadata: object
      is_by_others: boolean
      document: string
    }>`
      select m.content, m.metadata, m.is_by_others, d.document_id as document from trigger_deliveries d
        join slots s on s.id = d.slot_id join messages m on m.id = s.message_id join documents t on t.id = d.document_id
      where d.schedule_id = ${schedule} and t.name = 'new.txt'`.execute(made.db)
    expect(rows).toMatchObject([
      { is_by_others: true, metadata: { mentions: [{ kind: 'document', id: rows[0]?.document }] } },
    ])
    expect(rows[0]?.content).toContain('"document": "new.txt"')

    await syncNow(admin, id)
    scripted.items.set('old.txt', { text: 'The old lease costs more.' })
    await syncNow(admin, id)
    await allRead(id)
    const all = ['copy.txt 202 completed', 'new.txt 202 completed', 'old.txt 202 completed']
    await whenRun(schedule, all)
    await readAgain(id)
    await whenRun(schedule, all)
  }, 60_000)

  it('starts for documents only that its owner may read when they come [TG-01]', async () => {
    const key = (who: Reader) => `user:${who.user.email}`
    scripted.items.clear()
    const wish = { source: 'scripted', settings: {}, rights: 'mirrored', start: false }
    const { id } = await connect(admin, company, wish)
    const schedule = await made.aSchedule({ rule: on(id) })
    scripted.items.set('board.txt', { text: 'The board sells the pier.', readers: [key(admin)] })
    scripted.items.set('owner.txt', { text: 'The lease of the pier.', readers: [key(owner)] })
    await syncNow(admin, id)
    await allRead(id)
    expect(await startedBy(schedule)).toMatchObject([expect.stringMatching(/^owner\.txt 202/)])
    // The owner may no longer read it when the run begins.
    scripted.items.set('owner.txt', { text: 'The lease of the pier.', readers: [key(admin)] })
    await syncNow(admin, id)
    await whenRun(schedule, ['null 202 failed'])
  }, 60_000)

  it('cannot start on a connector that does not reach its owner [TG-01]', async () => {
    scripted.items.clear()
    const { id } = await connect(admin, null, { source: 'scripted', settings: {} })
    const wish = { name: 'A', text: 'B', time_zone: 'UTC', rule: on(id) }
    expect((await owner.call('POST', '/schedules', wish)).status).toBe(404)
    const names = async (who: Reader) =>
      (await who.call('GET', '/readable-connectors')).body.items.map((one: { id: string }) => one.id)
    expect([(await names(owner)).includes(id), (await names(admin)).includes(id)]).toEqual([false, true])
  })

  it('starts on nothing that is older than its rule', async () => {
    scripted.items.clear()
    const schedule = await made.aSchedule({})
    scripted.items.set('sluice.txt', { text: 'The sluice leaks.' })
    const { id } = await connect(admin, company, { source: 'scripted', settings: {} })
    await synced(admin, id)
    await allRead(id)
    expect((await owner.call('PATCH', `/schedules/${schedule}`, { rule: on(id) })).status).toBe(200)
    await readAgain(id)
    expect(await startedBy(schedule)).toEqual([])
    scripted.items.set('sluice.txt', { text: 'The sluice is mended.' })
    await syncNow(admin, id)
    await allRead(id)
    await whenRun(schedule, ['sluice.txt 202 completed'])
  }, 60_000)
})
