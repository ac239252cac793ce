import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { startLdapServer } from '#tests/ldap-server.ts'
import { aVisitor } from '#tests/visitor.ts'
import { parseConfig } from '../../../platform/config/config.ts'
import { createDirectory } from './directory.ts'
import { environmentDirectory } from './directory-settings.ts'
import { fillFilter } from './fill-filter.ts'

let ldap: Awaited<ReturnType<typeof startLdapServer>>
let app: TestApp
const settings = (more: Record<string, string> = {}) => ({
  ...{ ...ldap.settings, LDAP_URL: ldap.secure, LDAP_CA: ldap.ca },
  ...more,
})
beforeAll(async () => {
  ldap = await startLdapServer()
  app = await startApp({ config: settings() })
  await aUser(app, { role: 'super_admin', username: 'root' })
}, 60_000)
afterAll(async () => {
  await app.close()
  await ldap.close()
})

const directory = (more: Record<string, string>) =>
  createDirectory(environmentDirectory(parseConfig(settings(more)))!)
const leads = 'cn=leads,ou=groups,dc=example,dc=com'
const buyers = 'cn=buyers,ou=groups,dc=example,dc=com'

describe('SN-03 the directory', () => {
  it.each(['LDAPS', 'StartTLS'])('returns identity and groups over %s [SN-03]', async (way) => {
    const { find } = directory(way === 'LDAPS' ? {} : { LDAP_URL: ldap.plain })
    const claims = await find('lea', 'lea-secret')
    expect(claims).toMatchObject({ email: 'lea@example.com', name: 'Léa Moreau', emailVerified: false })
    expect([claims?.groups].flat().toSorted()).toEqual([buyers, leads])
    expect(claims?.subject).toMatch(/^ou=people,dc=example,dc=com [0-9a-f-]{36}$/)
    expect((await find('max@example.com', 'max-secret'))?.groups).toEqual([buyers])
  })

  it('rejects wrong and empty passwords and names that contain filter syntax [SN-03]', async () => {
    const { find } = directory({})
    for (const [login, password] of [
      ['lea', 'max-secret'],
      ['lea', ''],
      ['l*', 'lea-secret'],
      ['*)(uid=lea', 'lea-secret'],
      ['lea)(|(uid=*', 'lea-secret'],
      ['le\0a', 'lea-secret'],
      ['nobody', 'lea-secret'],
    ] as const)
      expect(await find(login, password), login).toBeNull()
    expect(fillFilter('(uid={login})', { login: 'a*(b)\\c\0$&' })).toBe('(uid=a\\2a\\28b\\29\\5cc\\00$&)')
  })

  it.each([
    ['that nobody vouches for', () => ({ LDAP_CA: '' })],
    ['that another one vouches for', () => ({ LDAP_CA: ldap.otherCa })],
    ['of another name', () => ({ LDAP_URL: ldap.misnamed })],
    ['that nobody vouches for, by StartTLS', () => ({ LDAP_URL: ldap.plain, LDAP_CA: '' })],
  ])('explains why it refuses a certificate %s [SN-03]', async (_, more) => {
    await expect(directory(more()).find('lea', 'lea-secret')).rejects.toMatchObject({
      code: 'directory_unavailable',
      detail:
        'The certificate of the directory is not trusted. Ask your administrator to check LDAP_URL and LDAP_CA.',
    })
  })

  it('reports an unreachable directory [SN-03]', async () => {
    await expect(directory({ LDAP_URL: 'ldaps://localhost:9' }).find('lea', 'x')).rejects.toMatchObject({
      code: 'directory_unavailable',
      detail: 'The directory cannot be asked right now. Try again in a moment, or ask your administrator.',
    })
  })
})

describe('SN-03 signing in by name and password', () => {
  const signIn = (name: string, password: string) => aVisitor(app).signIn(name, password)

  it('creates an account at the first sign-in and finds it again by name or address [SN-03]', async () => {
    const first = await signIn('lea', 'lea-secret')
    expect(first.status).toBe(200)
    const second = await signIn('LEA@example.com', 'lea-secret')
    const who = async (token: unknown) =>
      (await aVisitor(app).send('GET', '/users/me', undefined, String(token))).body
    const me = await who(first.body.access_token)
    expect(me).toMatchObject({ username: 'lea', email: 'lea@example.com', full_name: 'Léa Moreau' })
    expect((await who(second.body.access_token)).id).toBe(me.id)
    const { body } = await aVisitor(app).send(
      'GET',
      '/users/me/sign-on-connections',
      undefined,
      String(first.body.access_token),
    )
    expect(body).toMatchObject({ has_password: false, items: [{ provider: 'ldap', name: 'LDAP' }] })
  })

  it('keeps Atrium passwords working and does not hand over an account by its address [SN-03]', async () => {
    await aVisitor(app).signUp('max')
    expect((await signIn('max', 'correct horse')).status).toBe(200)
    expect(await signIn('max', 'max-secret')).toMatchObject({ status: 409 })
  })

  it('counts wrong passwords and locks like any other sign-in [SN-03]', async () => {
    let status = 0
    for (let tries = 0; tries < 12 && status !== 429; tries += 1) ({ status } = await signIn('lea', 'wrong'))
    expect(status).toBe(429)
    expect((await signIn('lea', 'lea-secret')).status).toBe(429)
  })

  it('lets users with a password in while the directory is down, and tells others the reason [SN-03]', async () => {
    const away = await startApp({ config: settings({ LDAP_CA: ldap.otherCa }) })
    try {
      await aVisitor(away).signUp('root')
      expect((await aVisitor(away).signIn('root', 'correct horse')).status).toBe(200)
      const { status, body } = await aVisitor(away).signIn('lea', 'lea-secret')
      expect([status, body.code]).toEqual([503, 'directory_unavailable'])
    } finally {
      await away.close()
    }
  })
})
