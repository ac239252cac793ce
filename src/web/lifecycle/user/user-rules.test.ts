import { describe, expect, it } from 'vitest'
import { aUser } from '#tests/web/user-builder.ts'
import { checkPasswords } from './password-rules.ts'
import { changesOf, countChanges, countWords, draftOf } from './preferences-draft.ts'

describe('preferences', () => {
  const user = aUser({
    bio: 'Head of procurement',
    writing_style_examples: ['One', 'Two'],
    preferences: { onboarding: { seen: true } },
  })

  it('has nothing to save at first [AU-26]', () => {
    expect(countChanges(draftOf(user), user)).toBe(0)
    expect(changesOf({ ...draftOf(user), bio: 'Head of procurement ' }, user)).toEqual({})
  })

  it('saves only differences [AU-26]', () => {
    const draft = { ...draftOf(user), language: 'fr' as const, bio: '' }
    expect(changesOf(draft, user)).toEqual({ language: 'fr', bio: null })
    expect(countChanges(draft, user)).toBe(2)
  })

  it('saves the list of examples without empty ones [AU-26]', () => {
    expect(changesOf({ ...draftOf(user), examples: ['Two', '  '] }, user)).toEqual({
      writing_style_examples: ['Two'],
    })
    expect(changesOf({ ...draftOf(user), examples: ['One', 'Two', ''] }, user)).toEqual({})
  })

  it('sends only its own preference, so that the onboarding progress is preserved [AU-24, AU-26]', () => {
    expect(changesOf({ ...draftOf(user), columnWidth: 'wide' }, user)).toEqual({
      preferences: { column_width: 'wide' },
    })
  })

  it('include the working memory, which is on by default [AU-26, SH-16]', () => {
    expect(draftOf(user).workingMemory).toBe(true)
    const draft = { ...draftOf(user), columnWidth: 'wide' as const, workingMemory: false }
    expect(changesOf(draft, user)).toEqual({ preferences: { column_width: 'wide', working_memory: false } })
    expect(countChanges(draft, user)).toBe(2)
    expect(draftOf(aUser({ preferences: { working_memory: false } })).workingMemory).toBe(false)
  })

  it('counts the words of an example [AU-26]', () => {
    expect([countWords(' one two\nthree '), countWords('')]).toEqual([3, 0])
  })
})

describe('new password', () => {
  it('has at least 8 characters [AU-11, G-28]', () => {
    expect(checkPasswords({ current: 'old', next: '1234567', again: '1234567' })).toEqual({
      next: 'password_too_short',
    })
  })

  it('must be repeated identically [AU-10, G-28]', () => {
    expect(checkPasswords({ current: 'old', next: '12345678', again: '12345679' })).toEqual({
      again: 'no_match',
    })
    expect(checkPasswords({ current: 'old', next: '12345678', again: '12345678' })).toEqual({})
  })

  it('requires the current one [AU-27]', () => {
    expect(checkPasswords({ current: '', next: '12345678', again: '12345678' })).toEqual({
      current: 'current_missing',
    })
  })
})
