import { beforeEach, describe, expect, it, vi } from 'vitest'
import { dropAuthToken, dropAuthTokenFromPage } from './auth-token.ts'
import { clearToken, getToken, setToken, subscribeToken } from './token.ts'

beforeEach(() => {
  clearToken()
  localStorage.clear()
})

describe('token', () => {
  it('AU-01 LI-01 is kept in local storage under token and nowhere else but the stream cookie', () => {
    setToken('secret')
    expect(getToken()).toBe('secret')
    expect(Object.entries(localStorage).filter(([, value]) => value.includes('secret'))).toEqual([
      ['token', 'secret'],
    ])
    expect(document.cookie).toBe('sse_auth_token=secret')
  })

  it('AU-31 G-21 sets the stream cookie for the whole site, same site only', () => {
    const write = vi.spyOn(document, 'cookie', 'set')
    setToken('secret')
    expect(write.mock.calls[0]?.[0]).toMatch(/^sse_auth_token=secret; path=\/; SameSite=Strict/)
    write.mockRestore()
  })

  it('G-07 clears token and both stream cookies', () => {
    setToken('secret')
    // biome-ignore lint/suspicious/noDocumentCookie: what an older client may have left.
    document.cookie = 'token=old; path=/'
    clearToken()
    expect(getToken()).toBeNull()
    expect(document.cookie).toBe('')
  })

  it('RT-20 tells who listens, also when another tab signs out', () => {
    const heard = vi.fn()
    const stop = subscribeToken(heard)
    setToken('a')
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }))
    stop()
    clearToken()
    expect(heard).toHaveBeenCalledTimes(2)
  })
})

describe('authToken in the address', () => {
  it('leaves the address and signs nobody in: the writer of the link chose it', () => {
    expect(dropAuthToken('?authToken=somebodys&lang=fr')).toBe('?lang=fr')
    expect(dropAuthToken('?authToken=somebodys')).toBe('')
    expect(getToken()).toBeNull()
    expect(document.cookie).not.toContain('somebodys')
  })

  it('is gone from the address before anything else runs', () => {
    history.replaceState(null, '', '/tools?authToken=embed&x=1#part')
    dropAuthTokenFromPage()
    expect(location.pathname + location.search + location.hash).toBe('/tools?x=1#part')
  })

  it('leaves other addresses alone', () => {
    expect(dropAuthToken('?token=1')).toBeNull()
  })
})
