import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from '../connectors.ts'
import { endConnector, purgeRemoved } from '../removing.ts'

const never = new AbortController().signal
const scripted = aScriptedSource()
let app: TestApp
let held: Reader
let other: Reader
let reader: Reader
let company: string
beforeAll(async () => {
  addSources([scripted.source])
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  const base = `${await app.listen()}/api/v1`
  held = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await held.call('GET', '/users/me')).body.company_affiliations[0].company.id
  other = await aReader(app, base, await aUser(app, { role: 'company_admin', companyId: company }))
  reader = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
})
afterAll(async () => {
  addSources([])
  await app.close()
})
afterEach(async () => {
  scripted.items.clear()
  await lift()
})

const place = () =>
  sql`insert into legal_holds (user_id, name, reason, placed_by, placed_at)
    values (${held.user.id}, 'Ada', 'Claim', 'Root', now())`.execute(app.deps.db)
const lift = () => sql`delete from legal_holds`.execute(app.deps.db)
const list = (count: number) => {
  for (let at = 0; at < count; at += 1) scripted.items.set(`n${at}.txt`, { text: `Number ${at}.` })
}
const connectItems = async (who: Reader) => {
  list(12)
  const { id } = await connect(who, company, { source: 'scripted', settings: { password: 'sesame' } })
  await synced(who, id)
  expect(await documentsOf(app, id)).toHaveLength(12)
  return id
}
const statusOf = async (id = '') => (await reader.call('GET', `/documents/${id}`)).status

describe('a legal hold on the owner of a connector', () => {
  it('hides items that the source no longer has, syncs the others, and deletes them after the lift', async () => {
    const id = await connectItems(held)
    const gone = (await documentsOf(app, id)).find(({ path }) => path === 'n3.txt')
    await place()
    scripted.items.delete('n3.txt')
    scripted.items.set('new.txt', { text: 'New.' })
    expect(await syncNow(held, id)).toMatchObject({ state: 'ready', error: null })
    expect((await documentsOf(app, id)).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['n3.txt', 'new.txt']),
    )
    expect(await statusOf(gone?.id)).not.toBe(200)
    await lift()
    await sql`update connector_items set removed_at = now() - interval '31 days' where removed_at is not null`.execute(
      app.deps.db,
    )
    await purgeRemoved(app.deps, never)
    expect(await documentsOf(app, id)).toHaveLength(12)
  })

  it('lets the purge of other connectors finish', async () => {
    const ids = [await connectItems(held), await connectItems(other)]
    await sql`update connector_items set removed_at = now() - interval '40 days' where connector_id = ${ids[0]}`.execute(
      app.deps.db,
    )
    await sql`update connector_items set removed_at = now() - interval '31 days' where connector_id = ${ids[1]}`.execute(
      app.deps.db,
    )
    await place()
    await purgeRemoved(app.deps, never)
    expect(await documentsOf(app, ids[0] ?? '')).toHaveLength(12)
    expect(await documentsOf(app, ids[1] ?? '')).toHaveLength(0)
  })

  it('keeps the documents of a removed connector hidden until it is lifted', async () => {
    const id = await connectItems(held)
    const [document] = await documentsOf(app, id)
    await place()
    await sql`update connectors set removing = 'delete', next_sync_at = null where id = ${id}`.execute(
      app.deps.db,
    )
    await endConnector(app.deps, id, never)
    expect(await documentsOf(app, id)).toHaveLength(12)
    expect(await statusOf(document?.id)).not.toBe(200)
    expect((await held.call('GET', `/documents/${document?.id}`)).status).not.toBe(200)
    await lift()
    await endConnector(app.deps, id, never)
    const { rows } = await sql`select from documents where id = ${document?.id}`.execute(app.deps.db)
    expect(rows).toEqual([])
  })
})

describe('the purge of removed items', () => {
  it('leaves an item that the source lists again meanwhile', async () => {
    const id = await connectItems(other)
    const [document] = await documentsOf(app, id)
    await sql`update connector_items set removed_at = now() - interval '31 days' where connector_id = ${id} and path = 'n0.txt'`.execute(
      app.deps.db,
    )
    let purging: Promise<void> | undefined
    await app.deps.db.transaction().execute(async (trx) => {
      await sql`select from connectors where id = ${id} for no key update`.execute(trx)
      await sql`update connector_items set removed_at = null where connector_id = ${id}`.execute(trx)
      purging = purgeRemoved(app.deps, never)
      await sleep(500)
    })
    await purging
    expect(await documentsOf(app, id)).toHaveLength(12)
    expect((await other.call('GET', `/documents/${document?.id}`)).status).toBe(200)
  })
})

describe('a connector that is removed while its documents are kept', () => {
  const remove = (id: string) => held.call('POST', `/connectors/${id}/remove`, { documents: 'keep' })
  const isThere = async (id: string) =>
    (await sql`select from connectors where id = ${id}`.execute(app.deps.db)).rows.length > 0
  const readOwn = async (id = '') => (await held.call('GET', `/documents/${id}`)).status
  const idOf = async (id: string, path: string) =>
    (await documentsOf(app, id)).find((one) => one.path === path)?.id ?? ''

  it('leaves no documents to its owner that the source no longer has, which wait for the end of a hold', async () => {
    const id = await connectItems(held)
    const [gone, kept] = [await idOf(id, 'n3.txt'), await idOf(id, 'n4.txt')]
    await place()
    scripted.items.delete('n3.txt')
    await syncNow(held, id)
    expect((await remove(id)).status).toBe(204)
    await expect.poll(() => readOwn(kept), { timeout: 20_000 }).toBe(200)
    expect([await readOwn(gone), await isThere(id), await statusOf(kept)]).toEqual([403, true, 403])
    await lift()
    await endConnector(app.deps, id, never)
    expect([await readOwn(gone), await isThere(id), await readOwn(kept)]).toEqual([404, false, 200])
  })

  it('deletes documents whose removal was confirmed', async () => {
    const id = await connectItems(other)
    const [gone, kept] = [await idOf(id, 'n3.txt'), await idOf(id, 'n4.txt')]
    for (const name of ['n1.txt', 'n2.txt', 'n3.txt']) scripted.items.delete(name)
    const { removal } = await syncNow(other, id)
    const answer = { removal_id: removal?.id, answer: 'remove' }
    expect((await other.call('POST', `/connectors/${id}/removal`, answer)).status).toBe(200)
    await synced(other, id)
    await other.call('POST', `/connectors/${id}/remove`, { documents: 'keep' })
    await expect.poll(() => isThere(id), { timeout: 20_000 }).toBe(false)
    const read = async (document: string) => (await other.call('GET', `/documents/${document}`)).status
    expect([await read(gone), await read(kept)]).toEqual([404, 200])
  })

  it('waits with documents in a project under a hold', async () => {
    const id = await connectItems(held)
    const document = await idOf(id, 'n4.txt')
    const project = (await held.call('POST', '/workspaces', { name: 'Leases' })).body.id
    await held.call('POST', `/workspaces/${project}/connectors`, { connector_id: id, is_in: true })
    await sql`insert into legal_holds (workspace_id, name, reason, placed_by, placed_at)
      values (${project}, 'Leases', 'Claim', 'Root', now())`.execute(app.deps.db)
    expect((await remove(id)).status).toBe(204)
    await endConnector(app.deps, id, never)
    expect([await isThere(id), await readOwn(document)]).toEqual([true, 403])
    const { rows } = await sql`select from workspace_documents where workspace_id = ${project}`.execute(
      app.deps.db,
    )
    expect(rows).toHaveLength(12)
    await lift()
    await endConnector(app.deps, id, never)
    expect([await isThere(id), await readOwn(document)]).toEqual([false, 200])
  })

  it('deletes them when its owner left the company meanwhile', async () => {
    const id = await connectItems(other)
    const document = await idOf(id, 'n4.txt')
    await sql`update connectors set removing = 'keep', next_sync_at = null where id = ${id}`.execute(
      app.deps.db,
    )
    await sql`delete from company_members where user_id = ${other.user.id}`.execute(app.deps.db)
    await endConnector(app.deps, id, never)
    expect([await isThere(id), (await other.call('GET', `/documents/${document}`)).status]).toEqual([
      false,
      404,
    ])
  })

  it('leaves them private, also those that the owner had added to a project by hand', async () => {
    const id = await connectItems(held)
    const document = await idOf(id, 'n4.txt')
    const project = (await held.call('POST', '/workspaces', { name: 'Shared' })).body.id
    const added = { document_ids: [document] }
    expect((await held.call('POST', `/documents/workspace/${project}/documents`, added)).status).toBe(200)
    const member = { recipient: { who: 'person', id: reader.user.id }, role: 'reader' }
    await sql`update companies set members_share = true`.execute(app.deps.db)
    expect((await held.call('POST', `/projects/${project}/members`, member)).status).toBe(200)
    await remove(id)
    await expect.poll(() => isThere(id), { timeout: 20_000 }).toBe(false)
    expect([await readOwn(document), await statusOf(document)]).toEqual([200, 403])
  })
})
