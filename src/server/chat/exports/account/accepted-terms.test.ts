import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { readList } from './archive-store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('are in the archive of a person with their company, version and texts, and end with the account', async () => {
  const { db } = app.deps
  const company_id = await aCompany(app, 'Orsane')
  const user = await aUser(app, { role: 'member', companyId: company_id })
  const published_at = new Date()
  const texts = { text_en: 'Be kind.', text_fr: 'Soyez aimables.' }
  const { id } = await db
    .insertInto('company_terms')
    .values({ company_id, version: 3, ...texts, published_at, published_by: 'ada' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('terms_acceptances')
    .values({ user_id: user.id, terms_id: id, accepted_at: published_at })
    .execute()
  const rows: unknown[] = []
  for await (const row of readList(db, user.id, 'terms')) rows.push(JSON.parse(row))
  expect(rows).toMatchObject([{ company: 'Orsane', version: 3, ...texts, terms_id: id }])
  await db.deleteFrom('users').where('id', '=', user.id).execute()
  expect(await db.selectFrom('terms_acceptances').select('terms_id').execute()).toEqual([])
})
