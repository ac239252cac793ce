import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSKEYS_LIMIT } from '#shared/identity/accounts/passkeys.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { anAuthenticator } from '#tests/authenticator.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'

const origin = 'https://atrium.orsane.eu'
let now = new Date('2026-11-24T10:00:00Z')
let app: TestApp
let visitor: ReturnType<typeof aVisitor>
beforeAll(async () => {
  app = await startApp({ clock: { now: () => now }, config: { ATRIUM_PUBLIC_URL: origin } })
  await aUser(app, { role: 'super_admin' })
  visitor = aVisitor(app)
})
afterAll(() => app.close())

let people = 0
async function aPerson() {
  const name = `person-${++people}`
  await visitor.signUp(name)
  const token = (await visitor.signIn(name)).body.access_token as string
  const post = (path: string, body: object = {}) => visitor.send('POST', path, body, token)
  const list = async () =>
    (await visitor.send('GET', '/users/me/passkeys', undefined, token)).body.items as {
      id: string
      name: string
    }[]
  return { name, token, post, list }
}
type Person = Awaited<ReturnType<typeof aPerson>>
type Authenticator = ReturnType<typeof anAuthenticator>
type Asked = { options: { challenge: string; allowCredentials?: { id: string }[] }; challenge: string }

async function add(person: Person, authenticator: Authenticator, name = 'Notebook') {
  const asked = (await person.post('/users/me/passkeys/options', { current_password: PASSWORD }))
    .body as unknown as Asked
  const response = authenticator.create(asked.options)
  return person.post('/users/me/passkeys', { challenge: asked.challenge, name, response })
}
const ask = async (ticket?: string) =>
  (await visitor.send('POST', '/token/passkey/options', ticket ? { ticket } : {})).body as unknown as Asked
const give = (asked: Asked, authenticator: Authenticator, ticket?: string) =>
  visitor.send('POST', '/token/passkey', {
    ...{ challenge: asked.challenge, response: authenticator.sign(asked.options) },
    ...(ticket ? { ticket } : {}),
  })
const whoIs = async (token: unknown) =>
  (await visitor.send('GET', '/users/me', undefined, token as string)).body.username

describe('a passkey', () => {
  it('signs its user in without a name or password [SN-06]', async () => {
    const person = await aPerson()
    const key = anAuthenticator({ origin })
    expect((await add(person, key)).status).toBe(201)
    const done = await give(await ask(), key)
    expect(done.status).toBe(200)
    expect(await whoIs(done.body.access_token)).toBe(person.name)
    expect((await person.list())[0]).toMatchObject({ name: 'Notebook', last_used_at: now.toISOString() })
  })

  it('serves as the second step after a password [SN-06]', async () => {
    const companyId = await aCompany(app)
    const person = await aPerson()
    const key = anAuthenticator({ origin, verifies: false })
    await add(person, key)
    const { id } = await app.deps.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', person.name)
      .executeTakeFirstOrThrow()
    const member = { company_id: companyId, user_id: id, role: 'member' }
    await app.deps.db.insertInto('company_members').values(member).execute()
    await app.deps.db
      .updateTable('companies')
      .set({ requires_second_factor: true })
      .where('id', '=', companyId)
      .execute()
    const step = (await visitor.signIn(person.name)).body.second_step as { ticket: string; factors: string[] }
    expect(step.factors).toEqual(['passkey'])
    const asked = await ask(step.ticket)
    expect(asked.options.allowCredentials?.map((one) => one.id)).toEqual([key.id])
    expect((await visitor.send('POST', '/token/second-factor/app', { ticket: step.ticket })).status).toBe(409)
    const done = await give(asked, key, step.ticket)
    expect(await whoIs(done.body.access_token)).toBe(person.name)
    // On its own it would be a single proof, because no fingerprint or PIN was verified.
    expect((await give(await ask(), key)).status).toBe(422)
  })

  it('has its own name, and no longer works once removed [SN-06]', async () => {
    const person = await aPerson()
    const [one, two] = [anAuthenticator({ origin }), anAuthenticator({ origin })]
    await add(person, one, 'Notebook')
    now = new Date(now.getTime() + 1000)
    await add(person, two, 'Phone')
    expect(await lastAudited(app, 'factor.added')).toMatchObject({ changes: [{ after: 'Phone' }] })
    const [first] = await person.list()
    const path = `/users/me/passkeys/${first?.id}`
    expect((await visitor.send('PATCH', path, { name: 'Old notebook' }, person.token)).status).toBe(200)
    expect((await person.list()).map(({ name }) => name)).toEqual(['Old notebook', 'Phone'])
    expect((await visitor.send('DELETE', path, undefined, person.token)).status).toBe(200)
    expect((await give(await ask(), one)).status).toBe(422)
    expect((await give(await ask(), two)).status).toBe(200)
  })

  it('must sign a challenge of this server, once, in time and for its own user', async () => {
    const person = await aPerson()
    const key = anAuthenticator({ origin })
    await add(person, key)
    const asked = await ask()
    const answer = { challenge: asked.challenge, response: key.sign(asked.options) }
    expect((await visitor.send('POST', '/token/passkey', answer)).status).toBe(200)
    expect((await visitor.send('POST', '/token/passkey', answer)).body.code).toBe('token_invalid')
    const other = await ask()
    const mixed = { challenge: other.challenge, response: key.sign(asked.options) }
    expect((await visitor.send('POST', '/token/passkey', mixed)).status).toBe(422)
    const foreign = anAuthenticator({ origin: 'https://atrium.orsane.example' })
    expect((await add(await aPerson(), foreign)).status).toBe(422)
    expect((await give(await ask(), anAuthenticator({ origin }))).status).toBe(422)
    const late = await ask()
    now = new Date(now.getTime() + 5 * 60_000)
    expect((await give(late, key)).body.code).toBe('token_invalid')
  })

  it('counts towards a limit per user', async () => {
    const person = await aPerson()
    const { db } = app.deps
    const { id: user_id } = await db
      .selectFrom('users')
      .select('id')
      .where('username', '=', person.name)
      .executeTakeFirstOrThrow()
    const common = { user_id, name: 'Key', public_key: Buffer.from('x'), counter: 0, transports: '[]' }
    const [first, ...more] = Array.from({ length: PASSKEYS_LIMIT }, (_, n) => ({
      ...{ ...common, credential_id: `${user_id}-${n}`, created_at: now },
    }))
    await db.insertInto('passkeys').values(more).execute()
    const begin = () => person.post('/users/me/passkeys/options', { current_password: PASSWORD })
    expect((await begin()).status).toBe(200)
    await db.insertInto('passkeys').values(first!).execute()
    expect(await begin()).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('can be created only by its user, after showing the password', async () => {
    const [person, other] = [await aPerson(), await aPerson()]
    const wrong = await person.post('/users/me/passkeys/options', { current_password: 'wrong' })
    expect(wrong.status).toBe(422)
    const asked = (await person.post('/users/me/passkeys/options', { current_password: PASSWORD }))
      .body as unknown as Asked
    const response = anAuthenticator({ origin }).create(asked.options)
    const taken = await other.post('/users/me/passkeys', { challenge: asked.challenge, name: 'x', response })
    expect(taken.body.code).toBe('token_invalid')
    expect(await other.list()).toEqual([])
  })
})
