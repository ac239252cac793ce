import { beforeEach, describe, expect, it } from 'vitest'
import { afterLoginPath, isLoginPath, readLastPath, signedInLoginTarget, storeLastPath } from './last-path.ts'

beforeEach(() => localStorage.clear())

describe('last path', () => {
  it('is stored under lastPath, without query [RT-18, LI-01]', () => {
    storeLastPath('/documents/42?authToken=secret#x')
    expect(localStorage.getItem('lastPath')).toBe('/documents/42')
  })

  it('never is a login path [RT-16, G-74]', () => {
    storeLastPath('/login/reset-password?token=1')
    storeLastPath('/signup')
    expect(readLastPath()).toBeNull()
    localStorage.setItem('lastPath', '/login')
    expect(readLastPath()).toBeNull()
  })

  it('never is the gallery, which an installed product does not have [G-74]', () => {
    storeLastPath('/tools')
    storeLastPath('/gallery')
    expect(readLastPath()).toBe('/tools')
    localStorage.setItem('lastPath', '/gallery')
    expect(readLastPath()).toBeNull()
    expect(signedInLoginTarget()).toBe('/chat')
  })

  it('is unusable when it would leave the site [G-74]', () => {
    localStorage.setItem('lastPath', '//evil.example')
    expect(readLastPath()).toBeNull()
    expect(afterLoginPath('/\\evil.example', null)).toBe('/')
  })
})

describe('after the login', () => {
  it('goes to where the visitor came from, else to the last path, else to the root [RT-14]', () => {
    expect(afterLoginPath('/tools?x=1', '/documents')).toBe('/tools?x=1')
    expect(afterLoginPath(undefined, '/documents')).toBe('/documents')
    expect(afterLoginPath(null, null)).toBe('/')
  })

  it('takes the chat for the root [RT-15, G-02]', () => {
    expect(afterLoginPath('/chat', null)).toBe('/')
    expect(afterLoginPath('/chat/1', null)).toBe('/chat/1')
  })

  it('never goes to a login path [RT-16]', () => {
    expect(afterLoginPath('/login', '/login/signup')).toBe('/')
  })
})

describe('a signed-in visit to the login page', () => {
  it('goes to the last path, else to the chat [RT-17, G-02]', () => {
    expect(signedInLoginTarget('/tools')).toBe('/tools')
    expect(signedInLoginTarget(null)).toBe('/chat')
    expect(signedInLoginTarget('/')).toBe('/chat')
    expect(signedInLoginTarget('/login')).toBe('/chat')
  })
})

it('knows the login pages and their short names [G-01]', () => {
  expect(['/login', '/login/signup', '/reset-password?token=1', '/verify-email'].every(isLoginPath)).toBe(
    true,
  )
  expect(['/', '/loginx', '/user'].some(isLoginPath)).toBe(false)
})
