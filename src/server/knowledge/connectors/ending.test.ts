import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from './connectors.ts'

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
