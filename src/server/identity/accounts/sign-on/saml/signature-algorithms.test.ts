import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAnswer, aSamlProvider, readRequest, SAML_ISSUER } from '#tests/saml-provider.ts'
import { parseConfig } from '../../../../platform/config/config.ts'
import { readMetadata } from './read-metadata.ts'
import { createSaml } from './saml.ts'
import { createSelfSigned } from './self-signed.ts'

let idp: Awaited<ReturnType<typeof aSamlProvider>>
beforeAll(async () => {
  idp = await aSamlProvider()
})
afterAll(() => idp.close())

const { key, certificate } = await createSelfSigned('Atrium', new Date())
const SHA1 = { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }
const SHA1_DIGEST = { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }
const SHA512 = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
}

/** Receives a valid response signed with these algorithms. */
async function receive(algorithms: Parameters<typeof idp.signWith>[1], accepts_sha1 = false) {
  const config = parseConfig({ SAML_METADATA: idp.metadata })
  const clock = { now: () => new Date() }
  // Only an accepted response is stored.
  const row = { place: 'current', key_sealed: key, certificate }
  const found = { orderBy: () => found, limit: () => found, execute: async () => [row] }
  const stored = {
    ...{ insertInto: () => stored, values: () => stored, onConflict: () => stored },
    selectFrom: () => ({ selectAll: () => found }),
  } as never
  const secrets = { seal: (text: string) => text, open: (text: string) => text }
  const names = { email_attribute: 'email', name_attribute: 'displayName', groups_attribute: 'groups' }
  const saml = createSaml(
    { config, clock, db: stored, secrets, publicUrl: () => 'http://atrium.test' },
    {
      id: 'saml',
      settings: { ...names, accepts_sha1, signs_out: false },
      read: () => readMetadata(idp.metadata),
    },
  )
  const callback = 'http://atrium.test/api/v1/login/saml/callback'
  const request = readRequest(
    (await saml.begin({ state: 's', nonce: 'n', codeVerifier: 'v' }, callback)).href,
  )
  const answer = anAnswer({
    ...{ id: '_a', issuer: SAML_ISSUER, inResponseTo: request.id, seconds: 60, email: 'sam@example.com' },
    ...{ audience: 'http://atrium.test/api/v1/login/saml/metadata', recipient: callback },
    ...{ destination: callback, nameId: 'sam', nameIdFormat: 'persistent', groups: [] },
  })
  const SAMLResponse = Buffer.from(idp.signWith(answer, algorithms)).toString('base64')
  return saml.receive!({ SAMLResponse, RelayState: 's' }, callback)
}

describe('a SAML response', () => {
  it.each([
    ['signature', SHA1],
    ['digest', SHA1_DIGEST],
  ])('is refused with a SHA-1 %s unless a setting allows it', async (_, algorithms) => {
    await expect(receive(algorithms)).rejects.toThrow('The SAML answer is signed with SHA-1.')
    await expect(receive(algorithms, true)).rejects.not.toThrow(/SHA-1/)
  })

  it('passes the algorithm check with SHA-512', async () => {
    await expect(receive(SHA512)).rejects.not.toThrow(/is signed with/)
  })
})
