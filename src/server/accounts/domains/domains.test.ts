import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../tests/support/app.ts'
import { aCompany } from '../../../../tests/support/builders.ts'
import { insertDomain, setVerified } from './domain-store.ts'
import { isVerifiedFor, verifiedCompanyOf } from './domains.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const claim = async (companyId: string, domain: string) =>
  insertDomain(app.deps.db, { companyId, domain, token: 't', now: new Date() })
const verify = async (companyId: string, domain: string) =>
  setVerified(app.deps.db, { companyId, domain, proof: 'dns', now: new Date() })

describe('the domain of an address', () => {
  it('belongs to the company that verified exactly this domain', async () => {
    const [house, other] = [await aCompany(app), await aCompany(app)]
    for (const company of [house, other]) expect(await claim(company, 'house.test')).toBe(true)
    expect(await verifiedCompanyOf(app.deps.db, 'ann@house.test')).toBeNull()
    expect(await verify(house, 'house.test')).toBe(true)
    expect(await verifiedCompanyOf(app.deps.db, 'Ann@House.TEST')).toBe(house)
    for (const email of [
      'a@sub.house.test',
      'a@xhouse.test',
      'house.test',
      'a@house.test@x.test',
      'a@house.test.',
    ])
      expect(await verifiedCompanyOf(app.deps.db, email)).toBeNull()
    expect(await isVerifiedFor(app.deps.db, house, 'ann@house.test')).toBe(true)
    expect(await isVerifiedFor(app.deps.db, other, 'ann@house.test')).toBe(false)
  })

  it('is verified by one company only', async () => {
    const [house, other] = [await aCompany(app), await aCompany(app)]
    for (const company of [house, other]) await claim(company, 'one.test')
    expect(await verify(house, 'one.test')).toBe(true)
    expect(await verify(other, 'one.test')).toBe(false)
    expect(await verifiedCompanyOf(app.deps.db, 'ann@one.test')).toBe(house)
  })
})
