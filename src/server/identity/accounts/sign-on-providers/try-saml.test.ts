import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser, type TestUser } from '#tests/builders.ts'
import { anAnswer, aSamlProvider, readRequest, SAML_ISSUER } from '#tests/saml-provider.ts'
import { startWithBrowser } from '#tests/sign-on.ts'
import { aVisitor } from '#tests/visitor.ts'
import { trySaml } from './try-saml.ts'

let idp: Awaited<ReturnType<typeof aSamlProvider>>
let product: Awaited<ReturnType<typeof startWithBrowser>>
let root: TestUser
let xml = ''
beforeAll(async () => {
  idp = await aSamlProvider()
  xml = readFileSync(idp.metadata, 'utf8')
  product = await startWithBrowser(() => ({}))
  root = await aUser(product.app, { role: 'super_admin', username: 'root' })
})
afterAll(async () => {
  await product.close()
  idp.close()
})

const ID = 'saml-italia01'
const DAY_MS = 86_400_000
const draft = (metadata: string, more: object = {}) => ({
  ...{ name: 'Orsane Italia', is_enabled: true, trusts_addresses: false, rules: [] },
  settings: {
    ...{ kind: 'saml' as const, metadata, email_attribute: 'email', name_attribute: 'displayName' },
    ...{ groups_attribute: 'groups', accepts_sha1: false, signs_out: false, ...more },
  },
})
const send = async (method: 'PUT' | 'POST', path: string, payload: object) => {
  const url = `/api/v1/admin/sign-on/providers/${ID}${path}`
  const answer = await product.app.http.inject({ method, url, headers: root.headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const test = async (metadata: string, more: object = {}) =>
  (await send('POST', '/test', draft(metadata, more))).body

describe('a SAML provider set up in the administration', () => {
  it('signs people in with its own entity id and metadata, and out again at the provider [SN-02]', async () => {
    const logout =
      '<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="http://127.0.0.1:9/slo"/>'
    const whole = xml.replace('<md:SingleSignOnService', `${logout}<md:SingleSignOnService`)
    expect((await send('PUT', '', draft(whole, { signs_out: true }))).status).toBe(200)
    const metadata = await product.app.http.inject(`/api/v1/login/${ID}/metadata`)
    const entityId = `${product.url}/api/v1/login/${ID}/metadata`
    expect(metadata.payload).toContain(`entityID="${entityId}"`)
    const callback = `${product.url}/api/v1/login/${ID}/callback`
    expect(metadata.payload).toContain(`Location="${callback}"`)
    expect(metadata.payload).toContain(`HTTP-Redirect" Location="${product.url}/login"/>`)
    const start = `${product.url}/api/v1/login/${ID}?redirect_uri=${product.url}/login`
    const begun = await fetch(start, { redirect: 'manual' })
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const request = readRequest(begun.headers.get('location') ?? '')
    expect(request.acs).toBe(callback)
    const answer = anAnswer({
      ...{ id: '_a1', issuer: SAML_ISSUER, inResponseTo: request.id, seconds: 60, groups: [] },
      ...{ audience: entityId, recipient: callback, destination: callback },
      ...{ nameId: 'giulia', nameIdFormat: 'persistent', email: 'giulia@orsane.it' },
    })
    const posted = await fetch(callback, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: SAML_ISSUER, 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({
        SAMLResponse: Buffer.from(idp.sign(answer)).toString('base64'),
        RelayState: request.relayState,
      }),
    })
    const answered = new URL(posted.headers.get('location') ?? '', product.url)
    const end = await fetch(answered, { redirect: 'manual', headers: { cookie } })
    const code = new URL(end.headers.get('location') ?? '').searchParams.get('token') ?? ''
    const jar = new Map([cookie.split('=') as [string, string]])
    const { body } = await product.exchange(code, jar)
    const out = await aVisitor(product.app).send('DELETE', '/token', undefined, body.access_token)
    const url = new URL(String(out.body.sign_out_url))
    expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:9\/slo\?SAMLRequest=.*&Signature=/)
    const asked = String(inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')))
    expect(asked).toMatch(/<samlp:LogoutRequest .*>giulia<\/saml:NameID>/)
  })
})

describe('the test of a SAML provider', () => {
  it('reports entity id, address and each certificate with its end', async () => {
    const { works, results } = await test(xml)
    expect(works).toBe(true)
    expect(results[0]).toMatchObject({ step: 'metadata', state: 'passed' })
    expect(results[0].facts).toEqual(
      expect.arrayContaining([
        { name: 'entity_id', value: SAML_ISSUER },
        { name: 'sign_in', value: 'http://127.0.0.1:9/sso' },
      ]),
    )
    expect(results[1].facts.map(({ name }: { name: string }) => name)).toEqual([
      ...['fingerprint', 'valid_until', 'days_left'],
    ])
  })

  it('warns of a certificate that ends soon, and fails when none is valid', async () => {
    const end = new Date((await test(xml)).results[1].facts[1].value).getTime()
    const at = async (now: number) =>
      trySaml({ ...product.app.deps, clock: { now: () => new Date(now) } }, draft(xml).settings)
    expect((await at(end - 10 * DAY_MS))[1]).toMatchObject({ state: 'warning', problem: 'expires_soon' })
    expect((await at(end + DAY_MS))[1]).toMatchObject({ state: 'failed', problem: 'expired' })
  })

  it('says why metadata cannot be read', async () => {
    expect((await test('<x/>')).results).toMatchObject([
      { step: 'metadata', state: 'failed', detail: 'The SAML metadata are not of one identity provider.' },
      { step: 'certificates', state: 'skipped' },
    ])
    expect((await test('http://127.0.0.1:9/metadata')).results[0]).toMatchObject({ problem: 'unreachable' })
    expect((await test(xml, { signs_out: true })).results[0]).toMatchObject({
      ...{ state: 'warning', problem: 'no_sign_out' },
    })
  })
})
