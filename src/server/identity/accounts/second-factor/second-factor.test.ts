import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { endTokens } from '../tokens/access-token-store.ts'
import { endOldSignIns } from './old-sign-ins-store.ts'
import { endPending } from './second-factor-store.ts'
import { codeAt, stepAt } from './totp.ts'

let now = new Date('2026-11-24T10:00:00Z')
let app: TestApp
let visitor: ReturnType<typeof aVisitor>
beforeAll(async () => {
  app = await startApp({ clock: { now: () => now } })
  await aUser(app, { role: 'super_admin' })
  visitor = aVisitor(app)
})
afterAll(() => app.close())
beforeEach(() => later(15 * 60))

/** Advances the clock, so that codes are new and tests need not wait. */
function later(seconds: number) {
  now = new Date(now.getTime() + seconds * 1000)
}
let people = 0
type Step = { ticket: string; factors: string[] }

async function aPerson() {
  const name = `person-${++people}`
  await visitor.signUp(name)
  const token = (await visitor.signIn(name)).body.access_token as string
  const post = (path: string, body: object = {}) => visitor.send('POST', path, body, token)
  return { name, token, post }
}
type Person = Awaited<ReturnType<typeof aPerson>>

const codeOf = (secret: string) => codeAt(secret, stepAt(now))
const firstStep = async ({ name }: { name: string }) => (await visitor.signIn(name)).body.second_step as Step
const secondStep = (ticket: string, code: string) =>
  visitor.send('POST', '/token/second-factor', { ticket, code })

async function setUp(person: Person) {
  const begun = await person.post('/users/me/second-factor/app', { current_password: PASSWORD })
  const secret = begun.body.secret as string
  const confirmed = await person.post('/users/me/second-factor/app/confirm', { code: codeOf(secret) })
  later(30)
  return { secret, codes: confirmed.body.recovery_codes as string[] }
}

/** Starts requests while a transaction holds the lock of an account, and returns their answer after it did `act`. */
async function whileLocked<T>(
  name: string,
  request: () => Promise<T>,
  act: (trx: Transaction<Tables>, id: string) => Promise<void> = async () => undefined,
): Promise<T> {
  let answer: Promise<T> | undefined
  await app.deps.db.transaction().execute(async (trx) => {
    const user = trx.selectFrom('users').select('id').where('username', '=', name)
    const { id } = await user.forUpdate().executeTakeFirstOrThrow()
    answer = request()
    await sleep(1_500)
    await act(trx, id)
  })
  return answer!
}

async function endSignIns(trx: Transaction<Tables>, id: string) {
  await endTokens({ db: trx }, id)
  await endPending(trx, id)
}

describe('an authenticator app', () => {
  it('is requested after the password and completes the sign-in [SN-07]', async () => {
    const person = await aPerson()
    const { secret } = await setUp(person)
    const answer = await visitor.signIn(person.name)
    expect(answer.body.access_token).toBeUndefined()
    expect(answer.headers['set-cookie']).toBeUndefined()
    const { ticket, factors } = answer.body.second_step as Step
    expect(factors).toEqual(['app', 'recovery_code'])
    const done = await secondStep(ticket, codeOf(secret))
    expect(done).toMatchObject({ status: 200, body: { token_type: 'bearer' } })
    const me = await visitor.send('GET', '/users/me', undefined, done.body.access_token as string)
    expect(me.body.username).toBe(person.name)
    expect((await secondStep(ticket, codeOf(secret))).body.code).toBe('token_invalid')
  })

  it('has an encrypted secret and becomes active after its first code [SN-07]', async () => {
    const person = await aPerson()
    const wrong = await person.post('/users/me/second-factor/app', { current_password: 'wrong' })
    expect(wrong.status).toBe(422)
    const { body } = await person.post('/users/me/second-factor/app', { current_password: PASSWORD })
    expect(body.uri).toContain(`secret=${body.secret}`)
    const kept = await app.deps.db.selectFrom('code_apps').select('secret').execute()
    expect(JSON.stringify(kept)).not.toContain(body.secret)
    expect((await visitor.signIn(person.name)).body.access_token).toBeTruthy()
    const refused = await person.post('/users/me/second-factor/app/confirm', { code: '000000' })
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid' } })
    expect((await visitor.signIn(person.name)).body.access_token).toBeTruthy()
    await person.post('/users/me/second-factor/app/confirm', { code: codeOf(body.secret as string) })
    expect(await lastAudited(app, 'factor.added')).toMatchObject({ changes: [{ after: 'code app' }] })
    expect((await firstStep(person)).factors).toContain('app')
    const again = await person.post('/users/me/second-factor/app', { current_password: PASSWORD })
    expect(again.status).toBe(409)
  })

  it('accepts each time step once, even in a race [SN-07]', async () => {
    const person = await aPerson()
    const { secret } = await setUp(person)
    const tickets = [(await firstStep(person)).ticket, (await firstStep(person)).ticket]
    const both = await Promise.all(tickets.map((ticket) => secondStep(ticket, codeOf(secret))))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    const { ticket } = await firstStep(person)
    // The step before the used one is invalid too.
    expect((await secondStep(ticket, codeAt(secret, stepAt(now) - 1))).status).toBe(422)
    later(30)
    expect((await secondStep(ticket, codeOf(secret))).status).toBe(200)
  })

  it('has ten recovery codes after concurrent renewals [SN-07]', async () => {
    const person = await aPerson()
    await setUp(person)
    const renew = () => person.post('/users/me/second-factor/recovery-codes', { current_password: PASSWORD })
    const answers = await whileLocked(person.name, () => Promise.all([renew(), renew()]))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await visitor.send('GET', '/users/me/second-factor', undefined, person.token)
    expect(body.recovery_codes_left).toBe(10)
  })

  it('is not activated by a sign-in that ends meanwhile [SN-07]', async () => {
    const person = await aPerson()
    const begun = await person.post('/users/me/second-factor/app', { current_password: PASSWORD })
    const code = codeOf(begun.body.secret as string)
    const confirm = () => person.post('/users/me/second-factor/app/confirm', { code })
    const answer = await whileLocked(person.name, confirm, endSignIns)
    expect(answer.status).toBe(401)
    expect((await visitor.signIn(person.name)).body.access_token).toBeTruthy()
  })

  it('comes with ten hashed recovery codes that work once each [SN-07]', async () => {
    const person = await aPerson()
    const { codes } = await setUp(person)
    expect(new Set(codes).size).toBe(10)
    const kept = await app.deps.db.selectFrom('recovery_codes').select('code_hash').execute()
    expect(kept.map(({ code_hash }) => code_hash.toString('latin1')).join()).not.toContain(codes[0])
    const [one = '', two = ''] = codes
    expect((await secondStep((await firstStep(person)).ticket, one.toLowerCase())).status).toBe(200)
    const { ticket } = await firstStep(person)
    expect((await secondStep(ticket, one)).status).toBe(422)
    const renewed = await person.post('/users/me/second-factor/recovery-codes', {
      current_password: PASSWORD,
    })
    expect((await secondStep(ticket, two)).status).toBe(422)
    const [fresh = ''] = renewed.body.recovery_codes as string[]
    expect((await secondStep(ticket, fresh)).status).toBe(200)
    const state = await visitor.send('GET', '/users/me/second-factor', undefined, person.token)
    expect(state.body).toMatchObject({ recovery_codes_left: 9, is_required: false })
  })

  it('locks after ten wrong codes, for correct codes too [SN-07]', async () => {
    const person = await aPerson()
    const { secret, codes } = await setUp(person)
    const { ticket } = await firstStep(person)
    for (let at = 0; at < 10; at += 1) expect((await secondStep(ticket, `00000${at}`)).status).toBe(422)
    expect((await secondStep(ticket, codeOf(secret))).status).toBe(429)
    expect((await secondStep(ticket, codes[0] ?? '')).status).toBe(429)
    later(15 * 60)
    const { ticket: next } = await firstStep(person)
    expect((await secondStep(next, codeOf(secret))).status).toBe(200)
  })

  it('can be removed with the password, together with its recovery codes', async () => {
    const person = await aPerson()
    const { codes } = await setUp(person)
    expect((await person.post('/users/me/second-factor/app/remove', { current_password: 'x' })).status).toBe(
      422,
    )
    const removed = await person.post('/users/me/second-factor/app/remove', { current_password: PASSWORD })
    expect(removed.status).toBe(200)
    expect(await lastAudited(app, 'factor.removed')).toMatchObject({ changes: [{ before: 'code app' }] })
    expect((await visitor.signIn(person.name)).body.access_token).toBeTruthy()
    await setUp(person)
    expect((await secondStep((await firstStep(person)).ticket, codes[0] ?? '')).status).toBe(422)
  })

  it('issues a ticket that gives no access and ends after ten minutes or a password change', async () => {
    const person = await aPerson()
    const { secret } = await setUp(person)
    const { ticket } = await firstStep(person)
    for (const path of ['/users/me', '/sessions', '/users/me/tokens'])
      expect((await visitor.send('GET', path, undefined, ticket)).status).toBe(401)
    later(10 * 60)
    expect((await secondStep(ticket, codeOf(secret))).body.code).toBe('token_invalid')
    const waiting = await firstStep(person)
    await person.post('/users/me/change-password', {
      current_password: PASSWORD,
      new_password: 'another horse',
    })
    expect((await secondStep(waiting.ticket, codeOf(secret))).body.code).toBe('token_invalid')
  })
})

describe('a company that requires a second factor', () => {
  const required = async () => {
    const companyId = await aCompany(app)
    const admin = await aUser(app, { role: 'company_admin', companyId })
    const path = `/admin/companies/${companyId}`
    const turn = (requires_second_factor: boolean) =>
      visitor.send('PATCH', path, { requires_second_factor }, admin.token)
    const person = await aPerson()
    const { id } = await app.deps.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', person.name)
      .executeTakeFirstOrThrow()
    const member = { company_id: companyId, user_id: id, role: 'member' }
    await app.deps.db.insertInto('company_members').values(member).execute()
    return { person, turn, id }
  }

  it('makes users without one set it up at the next sign-in before any access [SN-07]', async () => {
    const { person, turn } = await required()
    expect((await turn(true)).body.requires_second_factor).toBe(true)
    const { ticket, factors } = await firstStep(person)
    expect(factors).toEqual([])
    expect((await visitor.send('GET', '/users/me', undefined, ticket)).status).toBe(401)
    expect((await secondStep(ticket, '000000')).status).toBe(422)
    const { body } = await visitor.send('POST', '/token/second-factor/app', { ticket })
    const confirm = (code: string) =>
      visitor.send('POST', '/token/second-factor/app/confirm', { ticket, code })
    expect((await confirm('000000')).status).toBe(422)
    const done = await confirm(codeOf(body.secret as string))
    expect(done.body.recovery_codes).toHaveLength(10)
    const me = await visitor.send('GET', '/users/me', undefined, done.body.access_token as string)
    expect(me.status).toBe(200)
    expect((await firstStep(person)).factors).toContain('app')
    const removed = await person.post('/users/me/second-factor/app/remove', { current_password: PASSWORD })
    expect(removed.status).toBe(409)
    await turn(false)
    const free = await person.post('/users/me/second-factor/app/remove', { current_password: PASSWORD })
    expect(free.status).toBe(200)
  })

  it('ends older sign-ins without a second step after seven days, and none before', async () => {
    const { person, turn, id } = await required()
    now = new Date(now.getTime() + 1_000)
    const answer = await turn(true)
    const signIns = async () => {
      await endOldSignIns(app.deps)
      const found = app.deps.db.selectFrom('access_tokens').select('id').where('user_id', '=', id)
      return (await found.execute()).length
    }
    const begun = new Date(now)
    expect(await signIns()).toBeGreaterThan(0)
    const binds = Date.parse(String(answer.body.second_factor_binds_at))
    expect(Math.round((binds - now.getTime()) / 86_400_000)).toBe(7)
    now = new Date(binds - 60_000)
    expect(await signIns()).toBeGreaterThan(0)
    now = new Date(binds + 60_000)
    expect(await signIns()).toBe(0)
    now = begun
    expect((await person.post('/users/me/second-factor/app', {})).status).toBe(401)
  })

  it('refuses to set one up with a ticket that ends meanwhile [SN-07]', async () => {
    const { person, turn } = await required()
    await turn(true)
    const { ticket } = await firstStep(person)
    const { body } = await visitor.send('POST', '/token/second-factor/app', { ticket })
    const form = { ticket, code: codeOf(body.secret as string) }
    const confirm = () => visitor.send('POST', '/token/second-factor/app/confirm', form)
    const answer = await whileLocked(person.name, confirm, endSignIns)
    expect(answer.body.code).toBe('token_invalid')
    expect((await firstStep(person)).factors).toEqual([])
  })

  it('does not let a password alone replace an existing factor', async () => {
    const { person, turn } = await required()
    await turn(true)
    await setUp(person)
    const { ticket } = await firstStep(person)
    expect((await visitor.send('POST', '/token/second-factor/app', { ticket })).status).toBe(409)
    const confirm = { ticket, code: '000000' }
    expect((await visitor.send('POST', '/token/second-factor/app/confirm', confirm)).status).toBe(409)
  })
})
