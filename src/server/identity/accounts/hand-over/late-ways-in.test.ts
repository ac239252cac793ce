import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { anAuthenticator } from '#tests/authenticator.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { endTokens } from '../tokens/access-token-store.ts'
import { makeOneTimeToken } from '../tokens/one-time-token-store.ts'

let app: TestApp
let url: string
let visitor: ReturnType<typeof aVisitor>
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMAIL_VERIFICATION: 'off' } })
  url = await app.listen()
  visitor = aVisitor(app)
  await visitor.signUp('root')
})
afterAll(() => app.close())

const db = () => app.deps.db
/** The site of requests without a listener. */
const origin = 'http://localhost'
const NEW_PASSWORD = 'another Passw0rd of the owner'

/** Signs up an accomplice with the address of somebody else. */
async function anAccomplice(username: string) {
  const email = `${username}@victim.example`
  expect((await visitor.signUp(username, { email })).status).toBe(201)
  const token = String((await visitor.signIn(username)).body.access_token)
  const id = String((await visitor.send('GET', '/users/me', undefined, token)).body.id)
  return { id, email, token }
}

/** Sets a password by mail, as the owner of the address. */
async function ownerResets(user: { id: string; email: string }) {
  const token = await makeOneTimeToken(app.deps, 'reset_password', user)
  return visitor.send('POST', '/users/reset-password', { token, new_password: NEW_PASSWORD })
}

async function addPasskey(token: string) {
  const device = anAuthenticator({ origin })
  const asked = await visitor.send(
    'POST',
    '/users/me/passkeys/options',
    { current_password: PASSWORD },
    token,
  )
  const { challenge, options } = asked.body as { challenge: string; options: { challenge: string } }
  const added = { challenge, name: 'Key', response: device.create(options) }
  expect((await visitor.send('POST', '/users/me/passkeys', added, token)).status).toBe(201)
  return device
}

async function signInWith(device: ReturnType<typeof anAuthenticator>) {
  const asked = await visitor.send('POST', '/token/passkey/options', {})
  const { challenge, options } = asked.body as { challenge: string; options: { challenge: string } }
  return visitor.send('POST', '/token/passkey', { challenge, response: device.sign(options) })
}

describe('the registrant of a foreign address', () => {
  it('loses passkeys when its owner sets a password by mail', async () => {
    const accomplice = await anAccomplice('acc-passkey')
    const device = await addPasskey(accomplice.token)
    expect((await signInWith(device)).status).toBe(200)
    expect((await ownerResets(accomplice)).status).toBe(200)
    expect((await signInWith(device)).status).toBe(422)
    expect((await visitor.signIn('acc-passkey', NEW_PASSWORD)).status).toBe(200)
  })
})

/** Starts a request while a transaction ends every way into the account, and returns its answer after that. */
async function duringHandOver<T>({ id }: { id: string }, request: () => Promise<T>): Promise<T> {
  let answer: Promise<T> | undefined
  await db()
    .transaction()
    .execute(async (trx) => {
      await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
      answer = request()
      // The request verifies what is still valid, and waits for the lock.
      await sleep(700)
      await endTokens({ db: trx }, id)
      await trx.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    })
  return answer!
}

const passwordOf = async (id: string) =>
  (await db().selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow())
    .password_hash

describe('a request under way while every way into the account ends', () => {
  it('signs no one in with the old password', async () => {
    const user = await anAccomplice('late-sign-in')
    const { status, body } = await duringHandOver(user, () => visitor.signIn('late-sign-in'))
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'wrong_credentials' })
  })

  it('creates no API key', async () => {
    const user = await anAccomplice('late-key')
    const wish = { name: 'Late', scopes: ['chat'], days: 30 }
    const { status } = await duringHandOver(user, () =>
      visitor.send('POST', '/users/me/api-keys', wish, user.token),
    )
    expect(status).toBe(401)
  })

  it('sets no password', async () => {
    const user = await anAccomplice('late-password')
    const form = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    const { status } = await duringHandOver(user, () =>
      visitor.send('POST', '/users/me/change-password', form, user.token),
    )
    expect({ status, password: await passwordOf(user.id) }).toEqual({ status: 401, password: null })
  })

  it('takes no other address', async () => {
    const user = await anAccomplice('late-address')
    const form = { current_password: PASSWORD, email: 'late@attacker.example' }
    const { status } = await duringHandOver(user, () =>
      visitor.send('POST', '/users/me/change-email', form, user.token),
    )
    expect(status).toBe(401)
  })
})

describe('concurrent changes of one password', () => {
  it('let one sign-in through and refuse the other', async () => {
    const { id, token } = await anAccomplice('two-changes')
    const other = String((await visitor.signIn('two-changes')).body.access_token)
    const form = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    let answers: Promise<{ status: number }[]> | undefined
    await db()
      .transaction()
      .execute(async (trx) => {
        await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
        answers = Promise.all(
          [token, other].map((one) => visitor.send('POST', '/users/me/change-password', form, one)),
        )
        // Both have verified the password and hashed the new one by then, and wait for the lock.
        await sleep(2_500)
      })
    expect((await answers)?.map(({ status }) => status).sort()).toEqual([200, 401])
  })
})

describe('a stolen sign-in', () => {
  it('cannot finish changing the address after the password was reset', async () => {
    const strict = await startApp({ config: { ATRIUM_EMAIL_VERIFICATION: 'required' } })
    const guest = aVisitor(strict)
    await guest.signUp('owner')
    const token = String((await guest.signIn('owner')).body.access_token)
    const me = await guest.send('GET', '/users/me', undefined, token)
    await strict.deps.db.updateTable('users').set({ email_verified_at: new Date() }).execute()
    const form = { current_password: PASSWORD, email: 'thief@attacker.example' }
    expect((await guest.send('POST', '/users/me/change-email', form, token)).status).toBe(200)
    const link = await guest.mailedToken(form.email, 'verify-email')
    const owner = { id: String(me.body.id), email: String(me.body.email) }
    const reset = await makeOneTimeToken(strict.deps, 'reset_password', owner)
    await guest.send('POST', '/users/reset-password', { token: reset, new_password: NEW_PASSWORD })
    expect((await guest.send('POST', `/users/verify-email?token=${link}`)).body.code).toBe('token_invalid')
    await strict.close()
  })

  it('cannot finish connecting a sign-on service after an administrator ended it', async () => {
    const chief = String((await visitor.signIn('root')).body.access_token)
    const { id } = await anAccomplice('late-service')
    await db()
      .insertInto('sign_on_states')
      .values({
        ...{ state_hash: Buffer.from('late'), provider: 'github', redirect_uri: url, code_verifier: 'v' },
        ...{ nonce: 'n', user_id: id, expires_at: new Date(Date.now() + 600_000) },
      })
      .execute()
    const headers = { authorization: `Bearer ${chief}` }
    const ended = await fetch(`${url}/api/v1/admin/users/${id}/sign-out`, { method: 'POST', headers })
    expect(ended.status).toBe(204)
    expect(
      await db().selectFrom('sign_on_states').select('nonce').where('user_id', '=', id).execute(),
    ).toEqual([])
  })
})
