import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aVisitor } from '#tests/visitor.ts'
import { consumeOneTimeToken, makeOneTimeToken } from './one-time-token-store.ts'

let app: TestApp
let twin: TestApp
beforeAll(async () => {
  app = await startApp()
  twin = await startApp({ address: app.address, jobs: false })
})
afterAll(async () => {
  await twin.close()
  await app.close()
})

describe('a one-time token', () => {
  it.each(['verify_email', 'reset_password', 'sign_on'] as const)(
    'for %s can be used once, even by concurrent attempts in two processes [SV-05, SV-06]',
    async (purpose) => {
      const user = await aUser(app)
      for (let round = 0; round < 5; round += 1) {
        const token = await makeOneTimeToken(app.deps, purpose, user)
        const uses = Array.from({ length: 16 }, (_, i) =>
          consumeOneTimeToken((i % 2 ? app : twin).deps, purpose, token),
        )
        const results = await Promise.allSettled(uses)
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'token_invalid' })
        }
      }
    },
  )

  it('sets one of two concurrent new passwords and refuses the other [SV-05]', async () => {
    const user = await aUser(app)
    const token = await makeOneTimeToken(app.deps, 'reset_password', user)
    const passwords = Array.from({ length: 6 }, (_, i) => `new password ${i}`)
    const answers = await Promise.all(
      passwords.map((new_password, i) =>
        aVisitor(i % 2 ? app : twin).send('POST', '/users/reset-password', { token, new_password }),
      ),
    )
    const taken = answers.findIndex(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    const signIns = await Promise.all(
      passwords.map((password) => aVisitor(app).signIn(user.username, password)),
    )
    expect(signIns.map(({ status }) => status)).toEqual(passwords.map((_, i) => (i === taken ? 200 : 401)))
  })

  it('works only for its own purpose', async () => {
    const user = await aUser(app)
    const token = await makeOneTimeToken(app.deps, 'verify_email', user)
    for (const purpose of ['reset_password', 'sign_on'] as const) {
      await expect(consumeOneTimeToken(app.deps, purpose, token)).rejects.toMatchObject({
        code: 'token_invalid',
      })
    }
    const bound = consumeOneTimeToken(app.deps, 'verify_email', token, 'another browser')
    await expect(bound).rejects.toMatchObject({ code: 'token_invalid' })
    expect(await consumeOneTimeToken(app.deps, 'verify_email', token)).toMatchObject({ userId: user.id })
  })
})

describe('preferences', () => {
  const save = (token: string, preferences: object) =>
    aVisitor(app).send('PUT', '/users/me/preferences', { preferences }, token)

  it('are limited to 64 KB in total and merged [SV-08, AU-26]', async () => {
    const { token } = await aUser(app, { workingMemory: true })
    expect((await save(token, { first: 'x'.repeat(60_000) })).status).toBe(200)
    const [next, whole] = [await save(token, { second: 'x'.repeat(10_000) }), { third: 'é'.repeat(40_000) }]
    expect([next.status, next.body.code]).toEqual([413, 'too_large'])
    expect((await save((await aUser(app, { workingMemory: true })).token, whole)).status).toBe(413)
    const { body } = await aVisitor(app).send('GET', '/users/me', undefined, token)
    expect(Object.keys(body.preferences as object)).toEqual(['first'])
    expect((await save(token, { first: 'short' })).status).toBe(200)
    expect((await save(token, { second: 'x'.repeat(10_000) })).status).toBe(200)
  })

  it('are all kept when many screens save concurrently [SV-08]', async () => {
    const { token } = await aUser(app, { workingMemory: true })
    const keys = Array.from({ length: 20 }, (_, i) => `key${i}`)
    const saved = await Promise.all(keys.map((key) => save(token, { [key]: true })))
    expect(saved.every(({ status }) => status === 200)).toBe(true)
    const { body } = await aVisitor(app).send('GET', '/users/me', undefined, token)
    expect(Object.keys(body.preferences as object).sort()).toEqual([...keys].sort())
  })
})
