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

  it('AU-26 has nothing to save at first', () => {
    expect(countChanges(draftOf(user), user)).toBe(0)
    expect(changesOf({ ...draftOf(user), bio: 'Head of procurement ' }, user)).toEqual({})
  })

  it('AU-26 saves only what differs', () => {
    const draft = { ...draftOf(user), language: 'fr' as const, bio: '' }
    expect(changesOf(draft, user)).toEqual({ language: 'fr', bio: null })
    expect(countChanges(draft, user)).toBe(2)
  })

  it('AU-26 saves the list of examples without empty ones', () => {
    expect(changesOf({ ...draftOf(user), examples: ['Two', '  '] }, user)).toEqual({
      writing_style_examples: ['Two'],
    })
    expect(changesOf({ ...draftOf(user), examples: ['One', 'Two', ''] }, user)).toEqual({})
  })

  it('AU-24 AU-26 sends only its own preference, so that the onboarding progress stays', () => {
    expect(changesOf({ ...draftOf(user), columnWidth: 'wide' }, user)).toEqual({
      preferences: { column_width: 'wide' },
    })
  })

  it('AU-26 SH-16 the working memory is on until it is switched off, and counts as a setting of its own', () => {
    expect(draftOf(user).workingMemory).toBe(true)
    const draft = { ...draftOf(user), columnWidth: 'wide' as const, workingMemory: false }
    expect(changesOf(draft, user)).toEqual({ preferences: { column_width: 'wide', working_memory: false } })
    expect(countChanges(draft, user)).toBe(2)
    expect(draftOf(aUser({ preferences: { working_memory: false } })).workingMemory).toBe(false)
  })

  it('AU-26 counts the words of an example', () => {
    expect([countWords(' one two\nthree '), countWords('')]).toEqual([3, 0])
  })
})

describe('a new password', () => {
  it('AU-11 G-28 has at least 8 characters', () => {
    expect(checkPasswords({ current: 'old', next: '1234567', again: '1234567' })).toEqual({
      next: 'too_short',
    })
  })

  it('AU-10 G-28 is typed the same twice', () => {
    expect(checkPasswords({ current: 'old', next: '12345678', again: '12345679' })).toEqual({
      again: 'no_match',
    })
    expect(checkPasswords({ current: 'old', next: '12345678', again: '12345678' })).toEqual({})
  })

  it('AU-27 needs the current one', () => {
    expect(checkPasswords({ current: '', next: '12345678', again: '12345678' })).toEqual({
      current: 'current_missing',
    })
  })
})
