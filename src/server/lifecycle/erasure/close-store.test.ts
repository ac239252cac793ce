import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect } from '#tests/connecting.ts'
import { aReader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from '../../knowledge/connectors/connectors.ts'
import { closeAccount } from './close-store.ts'

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
