import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { makeLibrary } from '#tests/made-library.ts'
import type { Principal } from '../../platform/access/access.ts'
import { nothing } from '../../platform/vectors/vectors.ts'
import { readScope, type Scope } from './scope-store.ts'

const LARGE = 120

let app: TestApp
let ada: TestUser
let ben: TestUser
let eve: TestUser
let documents: { id: string; reading_id: string }[]
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  ada = await aUser(app)
  ben = await aUser(app)
  eve = await aUser(app)
  await makeLibrary(app.deps, { people: [ada.id], documents: LARGE, passages: 1 })
  await makeLibrary(app.deps, { people: [ben.id], documents: 3, passages: 1 })
  documents = await documentsOf(ada)
})
afterAll(() => app.close())

async function documentsOf({ id }: TestUser) {
  const { rows } = await sql<{ id: string; reading_id: string }>`
    select id, reading_id from documents where user_id = ${id} order by reading_id limit 1000`.execute(
    app.deps.db,
  )
  return rows
}

const scopeOf = ({ id }: TestUser, scope: Scope = {}, companies: string[] = []) => {
  const company_affiliations = companies.map((company) => {
    return { company: { id: company, name: 'A company' }, role: { name: 'member' as const } }
  })
  const principal: Principal = { kind: 'user', id, company_affiliations }
  return readScope(app.deps.db, principal, scope)
}
const readingsOf = (some: typeof documents) => some.map(({ reading_id }) => reading_id)
const idsOf = (some: typeof documents) => some.map(({ id }) => id)

it('names a large library searched whole by its owner', async () => {
  const owner = { column: 'user_id', in: [ada.id] }
  expect(await scopeOf(ada)).toEqual({ documents: LARGE, filter: { or: [owner] } })
})

it('names a small library by its readings', async () => {
  const readings = { column: 'reading_id', in: readingsOf(await documentsOf(ben)) }
  expect(await scopeOf(ben)).toEqual({ documents: 3, filter: { or: [readings] } })
})

it('excludes the few readings of a large library that are not searched', async () => {
  const [left, searched] = [documents.slice(0, 50), documents.slice(50)]
  const others = { column: 'reading_id', in: readingsOf(left) }
  expect(await scopeOf(ada, { document_ids: idsOf(searched) })).toEqual({
    documents: LARGE - 50,
    filter: { or: [{ and: [{ column: 'user_id', equals: ada.id }, { not: others }] }] },
  })
})

it('names the readings when more than a few are excluded', async () => {
  const searched = documents.slice(51)
  expect(await scopeOf(ada, { document_ids: idsOf(searched) })).toEqual({
    documents: LARGE - 51,
    filter: { or: [{ column: 'reading_id', in: readingsOf(searched) }] },
  })
})

it('includes a colleague’s library while it is shared', async () => {
  const company = await app.deps.db
    .insertInto('companies')
    .values({ name: 'A company' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const share = (company_id: string | null) =>
    app.deps.db.updateTable('documents').set({ company_id }).where('user_id', '=', ada.id).execute()
  await share(company.id)
  const own = { column: 'reading_id', in: readingsOf(await documentsOf(ben)) }
  const theirs = { column: 'user_id', in: [ada.id] }
  expect(await scopeOf(ben, {}, [company.id])).toEqual({
    documents: LARGE + 3,
    filter: { or: [theirs, own] },
  })
  await share(null)
  expect(await scopeOf(ben, {}, [company.id])).toEqual({ documents: 3, filter: { or: [own] } })
})

it('matches nothing for a user without documents', async () => {
  expect(await scopeOf(eve)).toEqual({ documents: 0, filter: nothing })
})
