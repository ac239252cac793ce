import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from '../connectors.ts'

const scripted = aScriptedSource()
let app: TestApp
let ada: Reader
let bob: Reader
let company: string
beforeAll(async () => {
  addSources([scripted.source])
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  const base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  bob = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
})
afterAll(async () => {
  addSources([])
  await app.close()
})

/** Connects an item that first only Ada and then also Bob may read, with other words. Returns its document and its first passage. */
async function aChangedItem(rights: string) {
  const both = [`user:${ada.user.email}`, `user:${bob.user.email}`]
  scripted.items.set('plan.txt', { text: 'The mill closes in May.', readers: both.slice(0, 1) })
  const { id } = await connect(ada, company, { source: 'scripted', settings: {}, rights })
  await synced(ada, id)
  const document = (await documentsOf(app, id))[0]?.id ?? ''
  await ada.processed(document)
  const passages = (await ada.call('GET', `/documents/${document}/chunks`)).body
  const passage: string = passages.items?.[0]?.id ?? passages.chunks?.[0]?.id
  scripted.items.set('plan.txt', { text: 'The mill has a plan.', readers: both })
  await syncNow(ada, id)
  await ada.processed(document)
  expect((await bob.call('GET', `/documents/${document}`)).body).toMatchObject({ version: 2 })
  return { document, passage }
}

const readAs = async (who: Reader, { document, passage }: { document: string; passage: string }) => [
  (await who.call('GET', `/documents/${document}/versions`)).body.total,
  ...(await Promise.all(
    [
      `/documents/${document}?version=1`,
      `/documents/${document}/content?version=1`,
      `/documents/${document}/elements?version=1`,
      `/documents/${document}/chunks/${passage}`,
    ].map(async (path) => {
      const { content } = await who.bytes(path)
      return /closes in May/.test(content.toString())
    }),
  )),
]

it('shows no one what an item with mirrored rights said before, because others could read it then', async () => {
  const changed = await aChangedItem('mirrored')
  expect(await readAs(bob, changed)).toEqual([1, false, false, false, false])
})

it('shows earlier versions of an item whose readers are named', async () => {
  const changed = await aChangedItem('named')
  const [versions, ...isShown] = await readAs(bob, changed)
  expect([versions, isShown.filter(Boolean).length > 0]).toEqual([2, true])
})
