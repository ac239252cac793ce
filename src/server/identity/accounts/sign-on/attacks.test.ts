import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { startScriptedSignOn } from '#tests/scripted-sign-on.ts'
import { startWithBrowser } from '#tests/sign-on.ts'

let honest: Awaited<ReturnType<typeof startScriptedSignOn>>
let evil: Awaited<ReturnType<typeof startScriptedSignOn>>
let product: Awaited<ReturnType<typeof startWithBrowser>>
beforeAll(async () => {
  honest = await startScriptedSignOn()
  evil = await startScriptedSignOn()
  product = await startWithBrowser(() => ({
    ...{ OIDC_ISSUER: honest.url, OIDC_CLIENT_ID: 'atrium', OIDC_CLIENT_SECRET: 'secret' },
    ...{ GOOGLE_ISSUER: evil.url, GOOGLE_CLIENT_ID: 'atrium', GOOGLE_CLIENT_SECRET: 'secret' },
  }))
  await aUser(product.app, { role: 'super_admin', username: 'root' })
})
afterAll(async () => {
  await product.close()
  honest.close()
  evil.close()
})

const person = { sub: 'v-1', email: 'victim@example.com', email_verified: true }
const signOn = async () =>
  (await product.visit(`/api/v1/login/oidc?redirect_uri=${product.url}/login`)).query.get('sso_error')

/** Starts a sign-on in one browser and returns the service's return address. */
async function attempt(provider: string) {
  const start = `${product.url}/api/v1/login/${provider}?redirect_uri=${product.url}/login`
  const begun = await fetch(start, { redirect: 'manual' })
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const sent = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
  return { cookie, back: sent.headers.get('location') ?? '' }
}

async function arrive(back: string, cookie: string) {
  const answer = await fetch(back, { redirect: 'manual', headers: { cookie } })
  return new URL(answer.headers.get('location') ?? '').searchParams
}

const now = () => Math.floor(Date.now() / 1000)

describe('a forged or misdirected response', () => {
  it('is distinguished from a correct one, which signs in', async () => {
    honest.says({ claims: person })
    expect(await signOn()).toBeNull()
  })

  it.each([
    ['signed by nobody (alg none)', { head: { alg: 'none' } }],
    ['signed by another key', { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }],
    ['of an unknown key', { head: { kid: 'k2' } }],
    ['of a foreign issuer', { claims: { iss: 'https://evil.example.com' } }],
    ['for a foreign audience', { claims: { aud: 'another-client' } }],
    [
      'for several audiences, none named as the party',
      { claims: { aud: ['atrium', 'other'], azp: 'other' } },
    ],
    ['that has ended', { claims: { iat: now() - 700, exp: now() - 600 } }],
    ['of another visit (nonce)', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that names another issuer at the callback (mix-up)', { answer: { iss: 'https://evil.example.com' } }],
    ['with another state', { answer: { state: 'x'.repeat(43) } }],
  ])('refuses an id token %s', async (_, lie) => {
    honest.says({ ...lie, claims: { ...person, ...('claims' in lie ? lie.claims : {}) } })
    expect(await signOn()).toMatch(/^(failed|expired)$/)
  })
})

describe('a valid response in the wrong hands', () => {
  it('is refused in another browser with a stolen state', async () => {
    honest.says({ claims: person })
    const victim = await attempt('oidc')
    const thief = await attempt('oidc')
    expect((await arrive(victim.back, thief.cookie)).get('sso_error')).toBe('expired')
    expect((await arrive(victim.back, victim.cookie)).get('token')).toBeTruthy()
  })

  it('is refused when repeated, and so is a code with another state', async () => {
    honest.says({ claims: person })
    const first = await attempt('oidc')
    expect((await arrive(first.back, first.cookie)).get('token')).toBeTruthy()
    expect((await arrive(first.back, first.cookie)).get('sso_error')).toBe('expired')
    const second = await attempt('oidc')
    const mixed = new URL(second.back)
    mixed.searchParams.set('code', new URL(first.back).searchParams.get('code') ?? '')
    expect((await arrive(mixed.href, second.cookie)).get('sso_error')).toBe('failed')
  })

  it("is refused when another person's code is injected (PKCE)", async () => {
    honest.says({ claims: person })
    const victim = await attempt('oidc')
    const thief = await attempt('oidc')
    const injected = new URL(thief.back)
    injected.searchParams.set('code', new URL(victim.back).searchParams.get('code') ?? '')
    expect((await arrive(injected.href, thief.cookie)).get('sso_error')).toBe('failed')
  })

  it('is refused when another service returns it (mix-up)', async () => {
    evil.says({ claims: person })
    honest.says({ claims: person })
    const begun = await attempt('google')
    const elsewhere = begun.back.replace('/login/google/', '/login/oidc/')
    expect((await arrive(elsewhere, begun.cookie)).get('sso_error')).toBe('expired')
    expect(evil.asked.some(({ path }) => path === '/token')).toBe(false)
  })
})
