import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from './connectors.ts'
import { endConnector, purgeRemoved } from './removing.ts'

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
