import { expect, it } from 'vitest'
import { codeAt, matchingStep, newTotpSecret, stepAt, totpUri } from './totp.ts'

/** The secret `12345678901234567890` of RFC 6238, appendix B, in Base32; its codes there have eight digits. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

it.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('generates the code of RFC 6238 at %i', (seconds, code) => {
  const now = new Date(seconds * 1000)
  expect(codeAt(secret, stepAt(now))).toBe(code.slice(2))
  expect(matchingStep(secret, code.slice(2), now)).toBe(Math.floor(seconds / 30))
})

it('accepts the previous and next step and no other', () => {
  const now = new Date(1_111_111_109_000)
  const step = stepAt(now)
  for (const by of [-1, 0, 1]) expect(matchingStep(secret, codeAt(secret, step + by), now)).toBe(step + by)
  for (const by of [-2, 2]) expect(matchingStep(secret, codeAt(secret, step + by), now)).toBeNull()
  for (const code of ['', '12345', '1234567', '12345a', '０８１８０４'])
    expect(matchingStep(secret, code, now)).toBeNull()
})

it('creates secrets of 160 bits that authenticator apps can read', () => {
  const made = newTotpSecret()
  expect(made).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(made)
  expect(totpUri(made, 'a b@orsane.eu')).toBe(
    `otpauth://totp/Atrium%3Aa%20b%40orsane.eu?secret=${made}&issuer=Atrium`,
  )
})
