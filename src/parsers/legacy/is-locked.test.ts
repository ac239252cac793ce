import { describe, expect, it } from 'vitest'
import { isLocked } from './is-locked.ts'

const at512 = (hex: string) => Buffer.concat([Buffer.alloc(512), Buffer.from(hex, 'hex'), Buffer.alloc(512)])

describe('isLocked', () => {
  it('recognises texts by their flag', () => {
    expect(isLocked(at512('eca5c1000000000000000001'), 'doc')).toBe(true)
    expect(isLocked(at512('eca5c1000000000000000000'), 'doc')).toBe(false)
  })

  it('recognises workbooks by the record after the first', () => {
    const first = `09081000${'00'.repeat(16)}`
    expect(isLocked(at512(`${first}2f000600`), 'xls')).toBe(true)
    expect(isLocked(at512(`${first}42000200`), 'xls')).toBe(false)
  })

  it('recognises presentations by the token of their last user', () => {
    expect(isLocked(at512('dfc4d1f3'), 'ppt')).toBe(true)
    expect(isLocked(at512('5fc091e3'), 'ppt')).toBe(false)
  })
})
