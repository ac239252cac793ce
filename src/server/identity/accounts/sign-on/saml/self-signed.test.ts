import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSelfSigned } from './self-signed.ts'

it.each([
  ['this century', '2026-11-29T00:00:00Z', '2036-11-29'],
  ['the years after 2049', '2045-02-28T00:00:00Z', '2055-02-28'],
])(
  'creates a certificate that its own key signed, valid for ten years, in %s [SN-02]',
  async (_, now, until) => {
    const { key, certificate } = await createSelfSigned('Atrium', new Date(now))
    const read = new X509Certificate(Buffer.from(certificate, 'base64'))
    expect(read.verify(read.publicKey)).toBe(true)
    expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect([read.subject, read.issuer]).toEqual(['CN=Atrium', 'CN=Atrium'])
    expect(new Date(read.validTo).toISOString().slice(0, 10)).toBe(until)
    expect(read.publicKey.asymmetricKeyDetails?.modulusLength).toBe(3072)
  },
)
