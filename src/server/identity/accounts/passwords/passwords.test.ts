import { describe, expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.ts'

describe('password hashes', () => {
  it('are argon2id PHC strings with individual salts [SV-03]', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(two)
    expect(await verifyPassword(one, 'correct horse')).toBe(true)
    expect(await verifyPassword(one, 'correct horsE')).toBe(false)
  })

  it('can be verified from a string of the reference implementation [SV-01]', async () => {
    const phc = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verifyPassword(phc, 'password')).toBe(true)
    expect(await verifyPassword(phc, 'differentpassword')).toBe(false)
  })

  it('match the password in any Unicode composition [SV-01]', async () => {
    expect(await verifyPassword(await hashPassword('caf\u00e9 au lait'), 'cafe\u0301 au lait')).toBe(true)
  })

  it('take the same time to verify without a stored hash, and then never match [AU-21]', async () => {
    const stored = await hashPassword('correct horse')
    const time = async (hash: string | null) => {
      const started = performance.now()
      expect(await verifyPassword(hash, 'guess')).toBe(false)
      return performance.now() - started
    }
    // Alternates and takes the minimum of each: other load only slows them down.
    let [wrong, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let i = 0; i < 9; i += 1) {
      wrong = Math.min(wrong, await time(stored))
      unknown = Math.min(unknown, await time(null))
    }
    expect(unknown / wrong).toBeGreaterThan(0.5)
    expect(unknown / wrong).toBeLessThan(2)
  })

  it('are refused when more are queued than can be computed soon [SV-01]', async () => {
    const stored = await hashPassword('correct horse')
    const crowd = Array.from({ length: 300 }, () => verifyPassword(stored, 'correct horse'))
    const results = await Promise.allSettled(crowd)
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(300 - 260)
    expect(refused[0]?.reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
    expect(await verifyPassword(stored, 'correct horse')).toBe(true)
  })
})
