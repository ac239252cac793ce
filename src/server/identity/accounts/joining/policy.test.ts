import { describe, expect, it } from 'vitest'
import { admitAddress } from './policy.ts'

const fault = (
  policy: Parameters<typeof admitAddress>[0]['policy'],
  email: string,
  domains: string[] = [],
) => {
  try {
    return admitAddress({ policy, domains }, email)
  } catch (error) {
    return (error as Error).message
  }
}

describe('admitAddress', () => {
  it('admits any address, or requires proof of one in a domain [SN-10]', () => {
    expect(fault('open', 'ann@other.test')).toEqual({ mustProve: false })
    const domains = ['house.test', 'shop.test']
    for (const email of ['ann@house.test', 'Ann@SHOP.test', '"a@b"@house.test'])
      expect(fault('domain', email, domains)).toEqual({ mustProve: true })
    for (const email of ['ann@other.test', 'ann@sub.house.test', 'house.test@other.test', 'ann@xhouse.test'])
      expect(fault('domain', email, domains)).toBe(
        'Only addresses of certain domains may make an account here. Ask an administrator.',
      )
  })

  it('states why it refuses an address [SN-10]', () => {
    expect(fault('invitation', 'a@b.test')).toBe(
      'An account is made by invitation here. Ask an administrator.',
    )
    expect(fault('closed', 'a@b.test')).toBe('No accounts are made here. Ask an administrator.')
  })
})
