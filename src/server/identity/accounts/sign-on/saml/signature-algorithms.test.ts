import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAnswer, aSamlProvider, readRequest, SAML_ISSUER } from '#tests/saml-provider.ts'
import { parseConfig } from '../../../../platform/config/config.ts'
import { createSaml } from './saml.ts'

let idp: Awaited<ReturnType<typeof aSamlProvider>>
beforeAll(async () => {
  idp = await aSamlProvider()
})
afterAll(() => idp.close())

const SHA1 = { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }
const SHA1_DIGEST = { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }
const SHA512 = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
}

/** Receives a valid response signed with these algorithms. */
async function receive(
  algorithms: Parameters<typeof idp.signWith>[1],
  settings: Record<string, string> = {},
) {
  const config = parseConfig({ SAML_METADATA: idp.metadata, ...settings })
  const clock = { now: () => new Date() }
  // Only an accepted response is stored.
  const stored = { insertInto: () => stored, values: () => stored, onConflict: () => stored } as never
  const saml = createSaml({ config, clock, db: stored, publicUrl: () => 'http://atrium.test' })
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
    await expect(receive(algorithms, { SAML_SHA1: 'on' })).rejects.not.toThrow(/SHA-1/)
  })

  it('passes the algorithm check with SHA-512', async () => {
    await expect(receive(SHA512)).rejects.not.toThrow(/is signed with/)
  })
})
