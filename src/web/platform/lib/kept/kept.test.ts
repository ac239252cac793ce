import { afterEach, describe, expect, it, vi } from 'vitest'
import { leave, signOut } from '../me/sign-out.ts'
import { forgetKept, forgetKeptOf, keep, keepFor, keepOwn, readKept, readOwn } from './kept.ts'

afterEach(() => {
  forgetKept()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('unsent text', () => {
  it('is deleted when the person signs out, but not when their token expires', async () => {
    keep('draft:new', 'Half a')
    leave()
    expect(readKept('draft:new')).toBe('Half a')
    await signOut()
    expect(readKept('draft:new')).toBeNull()
  })

  it('is never shown to another person', () => {
    keepFor('ada')
    keep('draft:new', 'Half a')
    keepFor('ada')
    expect(readKept('draft:new')).toBe('Half a')
    keepFor('bob')
    expect(readKept('draft:new')).toBeNull()
  })

  it('is deleted with its chat', () => {
    for (const name of ['draft:a', 'answer:a', 'draft:b']) keep(name, name)
    forgetKeptOf('a')
    expect(['draft:a', 'answer:a', 'draft:b'].map(readKept)).toEqual([null, null, 'draft:b'])
  })

  it.each([
    [89, 'Half a'],
    [91, null],
  ])('is restored after a reload %s days later: %s', async (days, found) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    keepFor('ada')
    keep('draft:a', 'Half a')
    vi.setSystemTime(Date.now() + days * 86_400_000)
    vi.resetModules()
    const reloaded = await import('./kept.ts')
    reloaded.keepFor('ada')
    expect(reloaded.readKept('draft:a')).toBe(found)
  })

  it("lives as long as the page if the browser's storage is full", () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    keep('draft:a', 'Half a')
    expect(readKept('draft:a')).toBe('Half a')
    keep('draft:a', '')
    expect(readKept('draft:a')).toBeNull()
  })

  it('of a tab stays when another tab writes, or sends its own', () => {
    keepOwn('draft:a', 'Mine')
    keep('draft:a', 'Of the other tab')
    expect([readOwn('draft:a'), readKept('draft:a')]).toEqual(['Mine', 'Of the other tab'])
    keepOwn('draft:a', '')
    expect([readOwn('draft:a'), readKept('draft:a')]).toEqual(['', 'Of the other tab'])
  })

  it('of a tab is deleted with its chat, and when another person signs in', () => {
    keepFor('ada')
    keepOwn('draft:a', 'A')
    keepOwn('draft:b', 'B')
    forgetKeptOf('a')
    expect([readOwn('draft:a'), readKept('draft:a'), readOwn('draft:b')]).toEqual([null, null, 'B'])
    keepFor('bob')
    expect([readOwn('draft:b'), readKept('draft:b')]).toEqual([null, null])
  })
})
