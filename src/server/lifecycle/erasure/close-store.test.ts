import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect } from '#tests/connecting.ts'
import { aReader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from '../../knowledge/connectors/connectors.ts'
import { closeAccount, countWaysIn } from './close-store.ts'

let app: TestApp
beforeAll(async () => {
  addSources([aScriptedSource().source])
  app = await startApp()
})
afterAll(async () => {
  addSources([])
  await app.close()
})

it('ends the connectors of a closed account, so that nothing more is read for it', async () => {
  const { db } = app.deps
  const ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app))
  const { id } = await connect(ada, null, { source: 'scripted', settings: { password: 'sesame' } })
  await db.transaction().execute((trx) => closeAccount(trx, ada.user.id))
  expect(await db.selectFrom('connectors').select('id').where('id', '=', id).execute()).toEqual([])
})

it('forgets the accounts for mail and calendar of a closed account, and counts them [AC-01]', async () => {
  const { db } = app.deps
  const { id } = await aUser(app)
  await sql`insert into personal_accounts values (${id}, 'imap', 'ada@example.com', 'sealed', now())`.execute(
    db,
  )
  expect(await countWaysIn(db, id)).toMatchObject({ connections: 1 })
  await db.transaction().execute((trx) => closeAccount(trx, id))
  expect((await sql`select from personal_accounts where user_id = ${id}`.execute(db)).rows).toEqual([])
})
