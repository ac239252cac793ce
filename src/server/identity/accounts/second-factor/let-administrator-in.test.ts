import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aVisitor } from '#tests/visitor.ts'
import { takeTurn } from '../rate-limit-store.ts'
import { letAdministratorIn } from './let-administrator-in.ts'

let app: TestApp
let visitor: ReturnType<typeof aVisitor>
beforeAll(async () => {
  app = await startApp()
  visitor = aVisitor(app)
})
afterAll(() => app.close())

describe('a locked-out administrator', () => {
  it('gets a one-time link that removes every obstacle and is audited [SN-13]', async () => {
    const { id, username } = await aUser(app, { role: 'super_admin', username: 'marc' })
    const app_ = { user_id: id, secret: 'x', created_at: new Date(), confirmed_at: new Date() }
    await app.deps.db.insertInto('code_apps').values(app_).execute()
    for (let at = 0; at < 100; at += 1) await takeTurn(app.deps, 'sign_in_account_day', id, { about: id })
    const { path } = await letAdministratorIn(app.deps, 'Marc')
    const token = /^\/login\/reset-password\?token=([\w-]{43})$/.exec(path)?.[1]
    const choose = () =>
      visitor.send('POST', '/users/reset-password', { token, new_password: 'a newer horse' })
    expect((await choose()).status).toBe(200)
    expect((await choose()).body.code).toBe('token_invalid')
    const signedIn = await visitor.signIn(username, 'a newer horse')
    expect(signedIn.body.access_token).toBeTruthy()
    const { headers } = await aUser(app, { role: 'super_admin' })
    const log = await app.http.inject({ url: '/api/v1/admin/audit?did=account.let_in', headers })
    expect(log.json().items).toMatchObject([{ subject: 'marc', actor: { id: null, name: 'Atrium' } }])
  })

  it('must exist and administer something', async () => {
    const member = await aUser(app, { role: 'member' })
    await expect(letAdministratorIn(app.deps, member.username)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(letAdministratorIn(app.deps, 'nobody')).rejects.toMatchObject({ code: 'not_found' })
  })
})
