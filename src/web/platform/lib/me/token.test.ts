import { beforeEach, describe, expect, it, vi } from 'vitest'
import { takeAuthTokenOfPage } from '../visit/auth-token.ts'
import { keepEmbedToken, keepVisit, readVisit } from '../visit/visit.ts'
import { clearToken, getToken, setToken, subscribeToken, visitWith } from './token.ts'

beforeEach(() => {
  visitWith(null)
  clearToken()
  localStorage.clear()
})

describe('token', () => {
  it('is stored only in local storage under token and in the stream cookie [AU-01, LI-01]', () => {
    setToken('secret')
    expect(getToken()).toBe('secret')
    expect(Object.entries(localStorage).filter(([, value]) => value.includes('secret'))).toEqual([
      ['token', 'secret'],
    ])
    expect(document.cookie).toBe('sse_auth_token=secret')
  })

  it('sets the stream cookie for the whole site, same site only [AU-31, G-21]', () => {
    const write = vi.spyOn(document, 'cookie', 'set')
    setToken('secret')
    expect(write.mock.calls[0]?.[0]).toMatch(/^sse_auth_token=secret; path=\/; SameSite=Strict/)
    write.mockRestore()
  })

  it('clears token and both stream cookies [G-07]', () => {
    setToken('secret')
    // biome-ignore lint/suspicious/noDocumentCookie: what an older client may have left.
    document.cookie = 'token=old; path=/'
    clearToken()
    expect(getToken()).toBeNull()
    expect(document.cookie).toBe('')
  })

  it('notifies listeners, even if another tab signs out [RT-20]', () => {
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
  const page = (href: string) => {
    history.replaceState(null, '', href)
    takeAuthTokenOfPage()
    return location.pathname + location.search + location.hash
  }
  beforeEach(() => sessionStorage.clear())

  it('is accepted at any address if no one is signed in, and removed from it: the page opens the assistant [RT-19]', () => {
    expect(page('/tools?authToken=emb_one&lang=fr#part')).toBe('/embed?lang=fr#part')
    expect(readVisit()).toEqual({ token: 'emb_one', visit: null, sessionId: null })
    expect([getToken(), localStorage.length, document.cookie]).toEqual([null, 0, ''])
  })

  it('is only removed if someone is signed in [RT-19]', () => {
    keepEmbedToken('emb_before')
    setToken('mine')
    expect(page('/tools?authToken=emb_two&x=1')).toBe('/tools?x=1')
    expect([readVisit()?.token, getToken()]).toEqual(['emb_before', 'mine'])
  })

  it("is never a person's login token, because the author of the link chose it [G-72]", () => {
    keepEmbedToken('emb_before')
    expect(page('/tools?authToken=somebodys&lang=fr')).toBe('/tools?lang=fr')
    expect([readVisit()?.token, getToken(), document.cookie]).toEqual(['emb_before', null, ''])
  })

  it("is read from where the page's inline script stored it", () => {
    window.authToken = 'emb_three'
    expect(page('/embed?theme=dark')).toBe('/embed?theme=dark')
    expect([readVisit()?.token, window.authToken]).toEqual(['emb_three', undefined])
  })

  it('resumes the visit of the same token, and starts a new one with another', () => {
    const begun = { token: 'emb_four', visit: 'emv_1', sessionId: 'a' }
    keepVisit(begun)
    page('/embed?authToken=emb_four')
    expect(readVisit()).toEqual(begun)
    page('/embed?authToken=emb_five')
    expect(readVisit()).toEqual({ token: 'emb_five', visit: null, sessionId: null })
  })

  it('leaves other addresses unchanged', () => {
    expect(page('/tools?token=1')).toBe('/tools?token=1')
  })
})

it("a visitor's page uses the visitor's token, even if a user is signed in", () => {
  setToken('mine')
  visitWith('')
  expect(getToken()).toBe('')
  visitWith('emv_1')
  expect([getToken(), localStorage.getItem('token')]).toEqual(['emv_1', 'mine'])
  visitWith(null)
  expect(getToken()).toBe('mine')
})
