import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { anAnswer, aSamlProvider, readRequest, SAML_ISSUER, type Said } from '#tests/saml-provider.ts'
import { startWithBrowser } from '#tests/sign-on.ts'
import { aVisitor } from '#tests/visitor.ts'
import { parseMetadata } from './read-metadata.ts'

let idp: Awaited<ReturnType<typeof aSamlProvider>>
let product: Awaited<ReturnType<typeof startWithBrowser>>
beforeAll(async () => {
  idp = await aSamlProvider()
  product = await startWithBrowser(() => ({
    ...{ SAML_METADATA: idp.metadata, SAML_NAME: 'Orsane Italia' },
    ATRIUM_SIGN_ON_ROLES: `saml: buyers => ${house}: company_admin`,
  }))
  await product.app.deps.db.insertInto('companies').values({ id: house, name: 'House' }).execute()
  await aUser(product.app, { role: 'super_admin', username: 'root' })
})
afterAll(async () => {
  await product.close()
  idp.close()
})

const house = randomUUID()
let made = 0

/** Starts a sign-on at the identity provider and returns a valid response. */
async function begin() {
  const start = `${product.url}/api/v1/login/saml?redirect_uri=${product.url}/login`
  const begun = await fetch(start, { redirect: 'manual' })
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const request = readRequest(begun.headers.get('location') ?? '')
  made += 1
  const honest: Said = {
    ...{ id: `_a${made}`, issuer: SAML_ISSUER, inResponseTo: request.id, seconds: 60 },
    ...{ audience: `${product.url}/api/v1/login/saml/metadata`, recipient: request.acs },
    ...{ destination: request.acs, nameId: `sam-${made}`, nameIdFormat: 'persistent' },
    ...{ email: `sam${made}@example.com`, groups: ['buyers'] },
  }
  return { cookie, request, honest }
}

type Begun = Awaited<ReturnType<typeof begin>>

/** Posts a response as the identity provider's page does, and follows the redirect. */
async function post(xml: string, { cookie, request }: Pick<Begun, 'cookie' | 'request'>) {
  const posted = await fetch(`${product.url}/api/v1/login/saml/callback`, {
    method: 'POST',
    body: new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString('base64'),
      RelayState: request.relayState,
    }),
    headers: { origin: SAML_ISSUER, 'sec-fetch-site': 'cross-site' },
    redirect: 'manual',
  })
  const back = new URL(posted.headers.get('location') ?? '', product.url)
  const answer = await fetch(back, { redirect: 'manual', headers: { cookie } })
  return new URL(answer.headers.get('location') ?? '').searchParams
}

const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/.exec(xml)![0]
const signatureOf = (xml: string) => /<ds:Signature.*<\/ds:Signature>/.exec(xml)![0]
const count = async () =>
  (
    await product.app.deps.db
      .selectFrom('identities')
      .select('subject')
      .where('provider', '=', 'saml')
      .execute()
  ).length

describe('SN-02 SAML 2.0', () => {
  it('keeps roles when the service sends a link instead of the groups, and takes them with an empty list', async () => {
    const signOn = async (groups: string[] | null) => {
      const visit = await begin()
      const answer = anAnswer({ ...visit.honest, nameId: 'gus', email: 'gus@example.com', groups })
      expect((await post(idp.sign(answer), visit)).get('token')).toBeTruthy()
      const members = product.app.deps.db.selectFrom('company_members').select('role')
      return (await members.where('company_id', '=', house).executeTakeFirst())?.role ?? null
    }
    expect(await signOn(['buyers'])).toBe('company_admin')
    expect(await signOn(null)).toBe('company_admin')
    expect(await signOn([])).toBeNull()
  })

  it('redirects to the identity provider in the metadata and signs its user in [SN-02]', async () => {
    const visit = await begin()
    expect(visit.request.xml).toContain('Destination="http://127.0.0.1:9/sso"')
    const query = await post(idp.sign(anAnswer(visit.honest)), visit)
    const [name = '', value = ''] = visit.cookie.split('=')
    const { body } = await product.exchange(query.get('token') ?? '', new Map([[name, value]]))
    const me = await aVisitor(product.app).send('GET', '/users/me', undefined, body.access_token)
    expect(me.body).toMatchObject({ email: visit.honest.email, full_name: 'Sam Example' })
    const { providers } = (await product.app.http.inject('/api/v1/sign-in-options')).json()
    expect(providers).toContainEqual({ id: 'saml', name: 'Orsane Italia', available: true })
  })

  it('publishes its entity id and address, and requires signed assertions [SN-02]', async () => {
    const answer = await product.app.http.inject('/api/v1/login/saml/metadata')
    expect(answer.headers['content-type']).toContain('application/samlmetadata+xml')
    expect(answer.body).toContain(`entityID="${product.url}/api/v1/login/saml/metadata"`)
    expect(answer.body).toContain(`Location="${product.url}/api/v1/login/saml/callback"`)
    expect(answer.body).toContain('WantAssertionsSigned="true"')
  })

  it('does not hand over an existing account with the address, which is unproved [SN-02]', async () => {
    const { email } = await aUser(product.app, { username: 'chief' })
    const visit = await begin()
    const query = await post(idp.sign(anAnswer({ ...visit.honest, email })), visit)
    expect(query.get('sso_error')).toBe('sign_in_first')
  })

  it.each([
    ['for a foreign audience', { audience: 'https://other.example.com' }],
    ['of a foreign issuer', { issuer: 'https://evil.example.com' }],
    ['that has expired', { seconds: -120 }],
    ['sent to another address', { destination: 'https://other.example.com/acs' }],
    ['made for another address', { recipient: 'https://other.example.com/acs' }],
    ['for another request', { inResponseTo: '_other' }],
    ['nobody asked for', { inResponseTo: null }],
    ['that names people anew each time', { nameIdFormat: 'transient' }],
  ])('refuses a signed response %s [SN-02]', async (_, lie) => {
    const before = await count()
    const visit = await begin()
    const query = await post(idp.sign(anAnswer({ ...visit.honest, ...lie })), visit)
    expect([query.get('sso_error'), await count()]).toEqual(['failed', before])
  })

  const evil = (xml: string) => xml.replaceAll(/sam(-?)\d+/g, 'root$1').replace('ID="_a', 'ID="_evil')

  it.each<[string, (signed: string, plain: string) => string]>([
    ['without a signature', (_, plain) => plain],
    ['signed by another key', (_, plain) => idp.sign(plain, 'Assertion', 'other')],
    ['of which only the shell is signed', (_, plain) => idp.sign(plain, 'Response')],
    ['changed after it was signed', (signed) => signed.replace(/sam\d+@/, 'root@')],
    ['with a comment within a name', (signed) => signed.replace(/(sam)(\d+@)/, '$1<!-- -->$2')],
    ['with a document type', (signed) => `<!DOCTYPE x [<!ENTITY e "e">]>${signed}`],
    [
      'with a forged assertion before the signed one (XSW)',
      (signed, plain) => signed.replace('<saml:Assertion', `${evil(assertionOf(plain))}<saml:Assertion`),
    ],
    [
      'with a forged assertion after the signed one (XSW)',
      (signed, plain) => signed.replace('</samlp:Response>', `${evil(assertionOf(plain))}</samlp:Response>`),
    ],
    [
      'with the signed assertion inside of a forged one (XSW)',
      (signed, plain) =>
        signed.replace(
          assertionOf(signed),
          evil(assertionOf(plain)).replace('</saml:Assertion>', `${assertionOf(signed)}</saml:Assertion>`),
        ),
    ],
    [
      'with the signed assertion inside of the signature of a forged one (XSW)',
      (signed, plain) => {
        const inner = signatureOf(signed).replace(
          '</ds:Signature>',
          `<ds:Object>${assertionOf(signed).replace(signatureOf(signed), '')}</ds:Object></ds:Signature>`,
        )
        const forged = evil(assertionOf(plain)).replace('</saml:Issuer>', `</saml:Issuer>${inner}`)
        return signed.replace(assertionOf(signed), forged)
      },
    ],
    [
      'with a forged assertion of the same name, the signed one set aside (XSW)',
      (signed, plain) => {
        const same = assertionOf(plain).replaceAll(/sam(-?)\d+/g, 'root$1')
        const aside = `<samlp:Extensions>${assertionOf(signed)}</samlp:Extensions>`
        return signed.replace(
          assertionOf(signed),
          aside + same.replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(signed)}`),
        )
      },
    ],
    [
      'with the whole signed answer inside of a forged one (XSW)',
      (signed, plain) =>
        evil(plain).replace(
          '</samlp:Status>',
          `</samlp:Status><samlp:Extensions>${signed}</samlp:Extensions>`,
        ),
    ],
  ])('refuses a response %s [SN-02]', async (_, forge) => {
    const before = await count()
    const visit = await begin()
    const plain = anAnswer(visit.honest)
    const query = await post(forge(idp.sign(plain), plain), visit)
    expect([query.get('sso_error'), await count()]).toEqual(['failed', before])
  })

  it('accepts a response once, and only in the browser that requested it [SN-02]', async () => {
    const visit = await begin()
    const xml = idp.sign(anAnswer(visit.honest))
    const other = await begin()
    expect((await post(xml, { ...visit, cookie: other.cookie })).get('sso_error')).toBe('expired')
    expect((await post(xml, visit)).get('sso_error')).toBe('failed')
    const again = await begin()
    const same = idp.sign(anAnswer({ ...again.honest, id: visit.honest.id }))
    expect((await post(same, again)).get('sso_error')).toBe('failed')
  })
})

it.each([
  ['no XML', '{}', 'no XML'],
  ['a document type', '<!DOCTYPE x><x/>', 'document type'],
  ['nobody', '<x/>', 'not of one identity provider'],
])('explains why it refuses metadata with %s', (_, text, sentence) => {
  expect(() => parseMetadata(text)).toThrow(sentence)
})
