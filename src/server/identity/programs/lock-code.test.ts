import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { hashSecret, lockAccount } from '../accounts/accounts.ts'
import { insertCode, lockCode } from './store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('refuses an authorization code that ends while its account is locked [PG-05]', async () => {
  const { db } = app.deps
  const { id: user_id } = await aUser(app)
  const hash = hashSecret('a code')
  const code = { user_id, client_id: 'x', client_name: 'x', redirect_uri: 'x', challenge: 'x', scopes: [] }
  const now = new Date()
  await insertCode(db, hash, code, { now, expires_at: new Date(now.getTime() + 60_000) })
  let late: ReturnType<typeof lockCode> | undefined
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, user_id)
    late = db.transaction().execute((other) => lockCode(other, hash))
    await sleep(500)
    await trx.deleteFrom('program_codes').where('user_id', '=', user_id).execute()
  })
  expect(await late).toBeNull()
})
