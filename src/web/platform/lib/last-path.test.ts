import { beforeEach, describe, expect, it } from 'vitest'
import { afterLoginPath, isLoginPath, readLastPath, signedInLoginTarget, storeLastPath } from './last-path.ts'

beforeEach(() => localStorage.clear())

describe('last path', () => {
  it('is stored under lastPath, without query [RT-18, LI-01]', () => {
    storeLastPath('/documents/42?authToken=secret#x')
    expect(localStorage.getItem('lastPath')).toBe('/documents/42')
  })

  it('is never a login path [RT-16, G-74]', () => {
    storeLastPath('/login/reset-password?token=1')
    storeLastPath('/signup')
    expect(readLastPath()).toBeNull()
    localStorage.setItem('lastPath', '/login')
    expect(readLastPath()).toBeNull()
  })

  it('is never the gallery, which an installed product lacks [G-74]', () => {
    storeLastPath('/tools')
    storeLastPath('/gallery')
    expect(readLastPath()).toBe('/tools')
    localStorage.setItem('lastPath', '/gallery')
    expect(readLastPath()).toBeNull()
    expect(signedInLoginTarget()).toBe('/chat')
  })

  it('is not used if it would leave the site [G-74]', () => {
    localStorage.setItem('lastPath', '//evil.example')
    expect(readLastPath()).toBeNull()
    expect(afterLoginPath('/\\evil.example', null)).toBe('/')
  })
})

describe('path after the login', () => {
  it('is where the visitor came from, otherwise the last path, otherwise the root [RT-14]', () => {
    expect(afterLoginPath('/tools?x=1', '/documents')).toBe('/tools?x=1')
    expect(afterLoginPath(undefined, '/documents')).toBe('/documents')
    expect(afterLoginPath(null, null)).toBe('/')
  })

  it('treats the chat as the root [RT-15, G-02]', () => {
    expect(afterLoginPath('/chat', null)).toBe('/')
    expect(afterLoginPath('/chat/1', null)).toBe('/chat/1')
  })

  it('is never a login path [RT-16]', () => {
    expect(afterLoginPath('/login', '/login/signup')).toBe('/')
  })
})

describe('signed-in visit to the login page', () => {
  it('is redirected to the last path, otherwise to the chat [RT-17, G-02]', () => {
    expect(signedInLoginTarget('/tools')).toBe('/tools')
    expect(signedInLoginTarget(null)).toBe('/chat')
    expect(signedInLoginTarget('/')).toBe('/chat')
    expect(signedInLoginTarget('/login')).toBe('/chat')
  })
})

it('recognizes the login pages and their short names [G-01]', () => {
  expect(['/login', '/login/signup', '/reset-password?token=1', '/verify-email'].every(isLoginPath)).toBe(
    true,
  )
  expect(['/', '/loginx', '/user'].some(isLoginPath)).toBe(false)
})
