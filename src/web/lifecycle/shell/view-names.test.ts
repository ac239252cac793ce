import { describe, expect, it } from 'vitest'
import { aUser } from '#tests/web/render-app.tsx'
import { entriesFor, entryPath } from './nav.ts'
import { mayOpen, maySee, transitionBetween, viewOf } from './view-names.ts'

const names = (role?: 'super_admin' | 'company_admin') =>
  entriesFor(aUser(role ? { role } : {})).map(({ view }) => view)

describe('views', () => {
  it('are derived from the prefix of the path, chat by default [RT-25]', () => {
    expect(viewOf('/documents/preview/1')).toBe('documents')
    expect(viewOf('/admin/models')).toBe('admin')
    expect(viewOf('/user')).toBe('user')
    expect(['/', '/chat/1', '/inbox', '/documentsx'].map(viewOf)).toEqual(['chat', 'chat', 'chat', 'chat'])
  })

  it('include chat, documents, assistant, prompts and tools for everyone [SH-05]', () => {
    expect(names()).toEqual(['home', 'chat', 'documents', 'assistant', 'prompts', 'schedules', 'tools'])
  })

  it('include debug for super admins only, and admin for company admins too [SH-06, SH-07, AU-25]', () => {
    expect(names('super_admin')).toEqual([
      'home',
      'chat',
      'documents',
      'assistant',
      'prompts',
      'schedules',
      'tools',
      'debug',
      'admin',
    ])
    expect(names('company_admin')).toEqual([
      'home',
      'chat',
      'documents',
      'assistant',
      'prompts',
      'schedules',
      'tools',
      'admin',
    ])
    expect(maySee('debug', aUser({ role: 'company_admin' }))).toBe(false)
  })

  it('include home only for those who want it', () => {
    const off = aUser({ preferences: { home_page: false } })
    expect(entriesFor(off).map(({ view }) => view)).not.toContain('home')
  })

  it('exclude paths that a person may not open [G-05, G-74]', () => {
    expect(mayOpen('/admin/models', aUser({ role: 'company_admin' }))).toBe(false)
    expect(mayOpen('/admin/models', aUser({ role: 'super_admin' }))).toBe(true)
    expect(mayOpen('/user/security', aUser())).toBe(true)
    expect(mayOpen('/user/other', aUser())).toBe(false)
  })

  it('link chat to the current session, otherwise to the root [SH-20]', () => {
    const [, chat, documents] = entriesFor(aUser())
    if (!chat || !documents) throw new Error('There are no entries')
    expect(entryPath(chat, 'abc')).toBe('/chat/abc')
    expect(entryPath(chat, null)).toBe('/')
    expect(entryPath(documents, 'abc')).toBe('/documents')
  })
})

describe('transitions', () => {
  it('depend on the pair of views [SH-18]', () => {
    expect(transitionBetween('/chat/1', '/documents')).toBe('view-forward')
    expect(transitionBetween('/tools', '/documents/1')).toBe('view-back')
    expect(transitionBetween('/tools', '/user')).toBe('view-rise')
    expect(transitionBetween('/user/billing', '/')).toBe('view-sink')
    expect(transitionBetween('/login', '/')).toBe('view-fade')
  })

  it('never play within a view or on the first one [SH-18]', () => {
    expect(transitionBetween('/chat/1', '/chat/2')).toBeNull()
    expect(transitionBetween('/login', '/login/signup')).toBeNull()
    expect(transitionBetween(undefined, '/tools')).toBeNull()
  })
})
