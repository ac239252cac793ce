import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { listDue } from './connector-store.ts'
import { addSources } from './connectors.ts'
import { runSync } from './engine/run-sync.ts'

const scripted = aScriptedSource()
let app: TestApp
let base: string
let root: Reader
let ada: Reader
let bob: Reader
let company: string
beforeAll(async () => {
  addSources([scripted.source])
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
  root = await aReader(app, base, await aUser(app, { role: 'super_admin' }))
})
afterAll(async () => {
  addSources([])
  await app.close()
})
beforeEach(async () => {
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  bob = await aReader(app, base, await aUser(app, { role: 'company_admin', companyId: company }))
  scripted.items.clear()
  scripted.items.set('board.txt', { text: 'The board sells the mill.', readers: [`user:${bob.user.email}`] })
})

/** Connects the source for the company of ada, and returns the connector with its only document. */
async function aConnected(more = {}) {
  const { id } = await connect(ada, company, {
    source: 'scripted',
    settings: { password: 'sesame' },
    ...more,
  })
  await synced(ada, id)
  const [document] = await documentsOf(app, id)
  return { id, document: document?.id ?? '' }
}
const statusOf = async (who: Reader, id: string) => (await who.call('GET', `/documents/${id}`)).status

describe('a connector of a deleted company', () => {
  it('is removed with its documents, which its owner never reads', async () => {
    const { id, document } = await aConnected({ rights: 'mirrored' })
    expect([await statusOf(ada, document), await statusOf(bob, document)]).toEqual([403, 200])
    await sql`insert into connector_sign_ins (connector_id, sealed, signed_in_at) values (${id}, 'tokens', now())`.execute(
      app.deps.db,
    )
    const { rows: named } = await sql`select name from companies where id = ${company}`.execute(app.deps.db)
    expect((await root.call('DELETE', `/admin/companies/${company}`, named[0])).status).toBe(204)
    expect([await statusOf(ada, document), await statusOf(bob, document)]).toEqual([403, 403])
    const { rows } = await sql`
      select removing, secrets, (select count(*)::int from connector_sign_ins where connector_id = ${id}) as sign_ins
      from connectors where id = ${id}`.execute(app.deps.db)
    expect(rows).toEqual([{ removing: 'delete', secrets: null, sign_ins: 0 }])
  })
})

describe('a removed connector whose owner left the company', () => {
  it('cannot leave its documents to them', async () => {
    const { id, document } = await aConnected()
    await sql`delete from company_members where user_id = ${ada.user.id}`.execute(app.deps.db)
    const remove = (documents: string) => bob.call('POST', `/connectors/${id}/remove`, { documents })
    expect((await remove('keep')).status).toBe(409)
    expect((await remove('delete')).status).toBe(204)
    await expect.poll(() => statusOf(ada, document), { timeout: 20_000 }).toBe(404)
  })
})

describe('the company connectors of a deleted account', () => {
  const erase = ({ user }: Reader) =>
    root.call('POST', `/admin/users/${user.id}/erasure`, { email: user.email })

  it('go to another administrator, and read their items again', async () => {
    const { id, document } = await aConnected()
    expect((await erase(ada)).status).toBe(202)
    const { owner_name } = await syncNow(bob, id)
    expect(owner_name).toBe(bob.user.username)
    const [kept, ...more] = await documentsOf(app, id)
    expect([kept?.name, more.length]).toEqual(['board.txt', 0])
    expect(kept?.id).not.toBe(document)
    expect((await bob.processed(kept?.id ?? '')).status).toBe('completed')
    expect(await statusOf(bob, document)).not.toBe(200)
    const { body } = await root.call('GET', `/admin/audit?subject_id=${id}&did=connector.changed`)
    expect(body.items[0].changes).toEqual([
      { what: 'owner', before: ada.user.username, after: bob.user.username },
    ])
  })

  it.each([
    ['with', 'company_admin'],
    ['without', 'member'],
  ])('show their former documents to no one in a project, %s another administrator', async (_, role) => {
    const { id, document } = await aConnected({ readers: [{ kind: 'person', id: ada.user.id }] })
    await sql`update companies set members_share = true`.execute(app.deps.db)
    const project = (await bob.call('POST', '/workspaces', { name: 'Mill' })).body.id
    const member = { recipient: { who: 'person', id: ada.user.id }, role: 'writer' }
    expect((await bob.call('POST', `/projects/${project}/members`, member)).status).toBe(200)
    const added = { document_ids: [document] }
    expect((await ada.call('POST', `/documents/workspace/${project}/documents`, added)).status).toBe(200)
    expect(await statusOf(bob, document)).toBe(403)
    await sql`update company_members set role = ${role} where user_id = ${bob.user.id}`.execute(app.deps.db)
    expect((await erase(ada)).status).toBe(202)
    expect(await statusOf(bob, document)).not.toBe(200)
    if (role !== 'member') await synced(bob, id)
  })

  it('lose the sign-in of the former owner', async () => {
    const { id } = await aConnected()
    await sql`insert into connector_sign_ins (connector_id, sealed, signed_in_at) values (${id}, 'sealed', now())`.execute(
      app.deps.db,
    )
    expect((await erase(ada)).status).toBe(202)
    const { rows } =
      await sql`select state, next_sync_at, (select count(*)::int from connector_sign_ins) as sign_ins
      from connectors where id = ${id}`.execute(app.deps.db)
    expect(rows).toEqual([{ state: 'signed_out', next_sync_at: null, sign_ins: 0 }])
  })

  it('end when no other administrator is left, as personal ones do', async () => {
    const personal = await connect(ada, null, { source: 'scripted', settings: { password: 'sesame' } })
    const { id } = await aConnected()
    await sql`update company_members set role = 'member' where user_id = ${bob.user.id}`.execute(app.deps.db)
    expect((await erase(ada)).status).toBe(202)
    const { rows } = await sql`select from connectors where id in (${id}, ${personal.id})`.execute(
      app.deps.db,
    )
    expect(rows).toEqual([])
  })
})

describe('the personal connector of a deactivated person', () => {
  it('reads nothing until the person returns', async () => {
    const { id } = await connect(ada, null, { source: 'scripted', settings: { password: 'sesame' } })
    await synced(ada, id)
    const shut = await root.call('POST', `/admin/users/${ada.user.id}/deactivate`)
    expect(shut.status, JSON.stringify(shut.body)).toBe(200)
    scripted.items.set('private.txt', { text: 'A private letter.' })
    await sql`update connectors set next_sync_at = now() - interval '1 minute' where id = ${id}`.execute(
      app.deps.db,
    )
    const due = async () => (await listDue(app.deps.db, new Date())).includes(id)
    expect([await due(), await runSync(app.deps, id, new AbortController().signal)]).toEqual([false, null])
    expect([scripted.reads.get('private.txt'), (await documentsOf(app, id)).length]).toEqual([undefined, 1])
    await root.call('POST', `/admin/users/${ada.user.id}/reactivate`)
    expect(await due()).toBe(true)
    await runSync(app.deps, id, new AbortController().signal)
    expect(await documentsOf(app, id)).toHaveLength(2)
  })
})
