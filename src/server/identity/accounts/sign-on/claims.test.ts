import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser } from '#tests/builders.ts'
import { claimsOf } from './openid.ts'
import { type Claims, findSignOnUser } from './sign-on.ts'
import { connectIdentity } from './sign-on-user-store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  await aUser(app, { role: 'super_admin' })
})
afterAll(() => app.close())

let n = 0
const claims = (more: Partial<Claims> = {}): Claims => ({
  ...{ subject: `s${++n}`, email: `new${n}@house.test`, emailVerified: true, isOfHouse: false },
  ...{ name: null, locale: null, groups: [], ...more },
})
const signOn = (said: Claims, mayBeFirst = async () => true, at = app) =>
  findSignOnUser(at.deps, 'oidc', said, mayBeFirst)
const failure = (said: Claims) =>
  signOn(said).then(
    () => 'in',
    (error) => error.failure,
  )
const account = async (said: Claims) => {
  const { id } = await signOn(said)
  return app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

describe('a new sign-on user', () => {
  it("is admitted with a proved address, or from the company's own service [AU-04]", async () => {
    expect(await failure(claims())).toBe('in')
    expect(await failure(claims({ emailVerified: false, isOfHouse: true }))).toBe('in')
    expect(await failure(claims({ emailVerified: false }))).toBe('email_not_proved')
    expect(await failure(claims({ email: null }))).toBe('email_not_proved')
  })

  it('gets the name and language from the service [AU-04]', async () => {
    const french = await account(claims({ name: 'x'.repeat(300), locale: 'FR-ca' }))
    expect(french).toMatchObject({ language: 'fr', full_name: 'x'.repeat(200) })
    expect(await account(claims({ locale: 'de' }))).toMatchObject({ language: 'en', full_name: null })
    expect(await account(claims())).toMatchObject({ language: 'en' })
  })

  it('gets a username from the address, with a suffix if it is taken [AU-04]', async () => {
    const nameOf = async (email: string) => (await account(claims({ email }))).username
    expect(await nameOf('Zoe.Low+x@a.test')).toBe('zoe.lowx')
    for (const after of ['2', '3']) expect(await nameOf(`zoe.lowx@${after}.test`)).toBe(`zoe.lowx${after}`)
    expect(await nameOf('zoe.lowx@b.test')).toMatch(/^zoe\.lowx-[0-9a-f]{6}$/)
    expect(await nameOf('+@a.test')).toBe('user')
    expect(await nameOf(`${'q'.repeat(60)}@a.test`)).toBe('q'.repeat(40))
  })
})

describe('an existing user', () => {
  it('must sign in first unless the service has proved the address [AU-04]', async () => {
    const { email } = await aUser(app, { username: 'known' })
    expect(await failure(claims({ email, emailVerified: false }))).toBe('sign_in_first')
    await app.deps.db
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('email', '=', email)
      .execute()
    expect(await failure(claims({ email: email.toUpperCase() }))).toBe('in')
  })

  it('is refused where the account is refused [AU-04]', async () => {
    const said = claims()
    const { id } = await signOn(said)
    expect((await signOn(said)).id).toBe(id)
    await app.deps.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', id).execute()
    expect(await failure(said)).toBe('account_deactivated')
  })

  it('can connect an unconnected service once [SN-12]', async () => {
    const [one, other] = [await aUser(app), await aUser(app)]
    const said = claims()
    const connect = (id: string) => connectIdentity(app.deps, 'oidc', said, id)
    await connect(one.id)
    await connect(one.id)
    await expect(connect(other.id)).rejects.toMatchObject({ failure: 'connected_elsewhere' })
    expect((await signOn(said)).id).toBe(one.id)
    const kept = app.deps.db.selectFrom('identities').selectAll().where('subject', '=', said.subject)
    expect(await kept.execute()).toMatchObject([{ user_id: one.id, provider: 'oidc', email: said.email }])
  })
})

describe('the address of a linked account', () => {
  const first = async () => {
    const said = claims()
    return { said, before: await account(said) }
  }

  it('follows the one that the service proves, and notifies the old one [SN-12]', async () => {
    const { said, before } = await first()
    const now = await account({ ...said, email: `moved-${before.email}` })
    expect(now).toMatchObject({ id: before.id, email: `moved-${before.email}` })
    expect(await lastAudited(app, 'account.changed')).toMatchObject({
      ...{ actor_name: 'OpenID', subject_id: before.id },
      changes: [{ what: 'email', before: before.email, after: now.email }],
    })
    const again = await account({ ...said, email: `again-${before.email}` })
    expect(again.email).toBe(`again-${before.email}`)
  })

  it.each<[string, (said: Claims, mine: string) => Promise<Claims> | Claims]>([
    [
      'does not follow one that nobody proved',
      (said, mine) => ({ ...said, emailVerified: false, email: `x-${mine}` }),
    ],
    ['never takes one of another account', async (said) => ({ ...said, email: (await aUser(app)).email })],
    [
      'stays as the person chose it here',
      async (said, mine) => {
        const chosen = { email: `own-${mine}` }
        await app.deps.db.updateTable('users').set(chosen).where('email', '=', mine).execute()
        return { ...said, email: `x-${mine}` }
      },
    ],
    ['stays without one from the service', (said) => ({ ...said, email: null })],
  ])('%s [SN-12]', async (_, change) => {
    const { said, before } = await first()
    const next = await change(said, before.email)
    const kept = await app.deps.db.selectFrom('users').select('email').where('id', '=', before.id).execute()
    expect((await account(next)).email).toBe(kept[0]?.email)
  })
})

describe('id token claims', () => {
  it.each<[string, object, unknown]>([
    ['a path', { realm_access: { roles: ['buyer'] } }, ['buyer']],
    ['a name with dots first', { 'realm_access.roles': ['x'], realm_access: { roles: ['y'] } }, ['x']],
    ['a path that leads nowhere', { realm_access: 'text' }, 'not_sent'],
    [
      'more groups than are read',
      { 'realm_access.roles': Array.from({ length: 1_001 }, String) },
      'too_many',
    ],
  ])('are read at %s', (_, said, groups) => {
    const token = { iss: 'https://i.test', aud: 'a', iat: 0, exp: 0, sub: 's' }
    expect(claimsOf({ ...token, ...said }, 'realm_access.roles').groups).toEqual(groups)
    expect(claimsOf({ ...token, ...said }, 'constructor.name').groups).toBe('not_sent')
  })

  it('are read under the names issuers use, with groups where configured [AU-04]', () => {
    const said = {
      ...{ iss: 'https://i.test', aud: 'a', iat: 0, exp: 0, sub: 's', email: 'a@b.test', name: 'Ann' },
      ...{ email_verified: true, locale: 'fr', teams: ['x', 'y'] },
    }
    const read = { subject: 's', email: 'a@b.test', emailVerified: true, isOfHouse: false, name: 'Ann' }
    expect(claimsOf(said)).toEqual({ ...read, locale: 'fr', groups: 'not_sent' })
    expect(claimsOf(said, 'teams').groups).toEqual(['x', 'y'])
    expect(claimsOf({ ...said, email_verified: 'no' }).emailVerified).toBe(false)
  })

  const token = { iss: 'https://i.test', aud: 'a', iat: 0, exp: 0, sub: 's' }
  it.each([
    [{ groups: ['x'] }, ['x']],
    [{ groups: [] }, []],
    [{}, 'not_sent'],
    [{ groups: null }, 'not_sent'],
    [
      { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://g.test' } } },
      'too_many',
    ],
    [{ hasgroups: true }, 'too_many'],
    [{ _claim_names: { address: 'src1' } }, 'not_sent'],
  ])('tell no groups from unknown groups in %j', (said, groups) => {
    expect(claimsOf({ ...token, ...said }, 'groups').groups).toEqual(groups)
  })
})
