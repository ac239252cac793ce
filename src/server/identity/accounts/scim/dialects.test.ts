import { describe, expect, it } from 'vitest'
import { readFilter } from './read-filter.ts'
import { ScimError } from './scim-error.ts'
import { mergeUser, patchUser, readOperations, type UserDraft } from './user-draft.ts'

const known: UserDraft = {
  ...{ userName: 'ann', externalId: 'e1', givenName: 'Ann', familyName: 'Lee', displayName: 'Ann Lee' },
  ...{ email: 'ann@house.test', active: true, language: 'fr' },
}
const refusal = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    if (error instanceof ScimError) return error.message
    throw error
  }
  return 'taken'
}

describe("a user in a directory's request", () => {
  it('is merged into the known state, with few defaults [SN-05]', () => {
    expect(mergeUser(known, {})).toEqual(known)
    expect(mergeUser(null, {})).toEqual({
      ...{ userName: '', externalId: null, givenName: '', familyName: '', displayName: '', email: '' },
      ...{ active: true, language: null },
    })
    const said = {
      ...{
        userName: 'bob',
        externalId: 'e2',
        displayName: 'Bob Ray',
        active: false,
        preferredLanguage: 'en',
      },
      ...{ name: { givenName: 'Bob', familyName: 'Ray' }, emails: [{ value: 'bob@house.test' }] },
    }
    expect(mergeUser(known, said)).toEqual({
      ...{ userName: 'bob', externalId: 'e2', givenName: 'Bob', familyName: 'Ray', displayName: 'Bob Ray' },
      ...{ email: 'bob@house.test', active: false, language: 'en' },
    })
    expect(mergeUser(known, { externalId: null, name: null, emails: null })).toEqual({
      ...{ ...known, externalId: null },
    })
  })

  it('accepts names in any case, a single full name, and a locale as language [SN-05]', () => {
    const shouted = { USERNAME: 'bob', Name: { FORMATTED: 'Bob Ray', familyname: 'Ray' }, Locale: 'en-GB' }
    expect(mergeUser(null, shouted)).toMatchObject({
      ...{ userName: 'bob', displayName: 'Bob Ray', familyName: 'Ray', language: 'en-GB' },
    })
    expect(mergeUser(null, { displayName: 'B', name: { formatted: 'Bob' } }).displayName).toBe('B')
    expect(mergeUser(null, { preferredLanguage: 'fr', locale: 'en' }).language).toBe('fr')
  })

  it('uses the primary address, then the work one, then any, then a username that is one [SN-05]', () => {
    const emailOf = (...emails: object[]) => mergeUser(null, { userName: 'u@house.test', emails }).email
    const [home, work, first] = [
      { value: 'home@house.test', type: 'home' },
      { value: 'work@house.test', type: 'work' },
      { value: 'first@house.test', primary: true },
    ]
    expect(emailOf(home, work, first)).toBe('first@house.test')
    expect(emailOf(home, work)).toBe('work@house.test')
    expect(emailOf(home, { ...first, primary: 'False' })).toBe('home@house.test')
    expect(emailOf()).toBe('u@house.test')
    expect(emailOf({ value: null })).toBe('u@house.test')
    expect(mergeUser(null, { userName: 'ann' }).email).toBe('')
    expect(mergeUser(known, { userName: 'u@house.test' }).email).toBe('ann@house.test')
  })

  it("accepts the directories' spellings of active [SN-05]", () => {
    for (const no of [false, 'False', 'false', 0, '0', [{ value: 'False' }], { value: false }])
      expect(mergeUser(known, { active: no }).active).toBe(false)
    for (const yes of [true, 'True', 1, [{ value: 'True' }], null])
      expect(mergeUser(known, { active: yes }).active).toBe(true)
  })

  it('is refused when it is invalid [SN-05]', () => {
    expect(refusal(() => mergeUser(null, { userName: 5 }))).toMatch(/^userName: /)
    expect(refusal(() => mergeUser(null, { name: { givenName: 5 } }))).toMatch(/^name\.givenName: /)
    expect(refusal(() => mergeUser(null, { userName: 'x'.repeat(321) }))).toMatch(/^userName: /)
    expect(refusal(() => mergeUser(null, { userName: 'x'.repeat(320) }))).toBe('taken')
    for (const none of [null, 'x', [], 5]) expect(refusal(() => mergeUser(null, none))).toMatch(/^The body: /)
  })
})

describe('a PATCH operation on a user', () => {
  const change = (path: string, value?: unknown, op: 'add' | 'replace' | 'remove' = 'replace') =>
    patchUser(known, [{ op, path, value }])

  it('accepts a path of any depth, with or without the schema prefix [SN-05]', () => {
    const core = 'urn:ietf:params:scim:schemas:core:2.0:User:'
    for (const path of [
      'displayName',
      'displayname',
      `${core}displayName`,
      `${core.toUpperCase()}DisplayName`,
    ])
      expect(change(path, 'Bob')).toEqual({ ...known, displayName: 'Bob' })
    expect(change('name.familyName', 'Ray', 'add')).toEqual({ ...known, familyName: 'Ray' })
    for (const path of [
      'emails[type eq "work"].value',
      'EMAILS[type eq "work"]',
      'emails[primary eq true].value',
    ])
      expect(change(path, 'new@house.test')).toEqual({ ...known, email: 'new@house.test' })
  })

  it('accepts an object instead of a path [SN-05]', () => {
    expect(change('', { 'name.givenName': 'Bob', active: 'False' })).toEqual({
      ...{ ...known, givenName: 'Bob', active: false },
    })
    for (const nothing of [null, undefined, {}]) expect(change('', nothing)).toEqual(known)
    for (const wrong of ['{"active":false}', 5, [false]])
      expect(() => change('', wrong)).toThrow('needs an object of attributes')
  })

  it('can remove the external name and nothing else [SN-05]', () => {
    for (const path of ['externalId', 'EXTERNALID'])
      expect(change(path, undefined, 'remove')).toEqual({ ...known, externalId: null })
    for (const path of ['userName', 'active', '', 'name'])
      expect(change(path, undefined, 'remove')).toEqual(known)
  })

  it('on an extension changes no stored attribute [SN-05]', () => {
    const extension = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:'
    for (const path of [
      `${extension}displayName`,
      'title',
      'emails[x',
      'xemails[a].value',
      'emails[a].valuex',
    ])
      expect(change(path, 'x')).toEqual(known)
  })

  it('is applied in sequence [SN-05]', () => {
    const both = ['Bob', 'Ben'].map((value) => ({ op: 'replace' as const, path: 'displayName', value }))
    expect(patchUser(known, both).displayName).toBe('Ben')
  })

  it('adds, replaces or removes, in any case [SN-05]', () => {
    const body = {
      Operations: [{ op: 'Replace', path: ' active ', value: 1 }, { op: 'ADD' }, { op: 'remove' }],
    }
    expect(readOperations(body)).toEqual([
      { op: 'replace', path: 'active', value: 1 },
      { op: 'add', path: '', value: undefined },
      { op: 'remove', path: '', value: undefined },
    ])
    expect(refusal(() => readOperations({ Operations: [{ op: 'move' }] }))).toBe(
      'An operation adds, replaces or removes.',
    )
    expect(refusal(() => readOperations({ Operations: [{ path: 'a' }] }))).toMatch(/^Operations\.0\.op: /)
    for (const none of [{}, null, { Operations: 'x' }])
      expect(refusal(() => readOperations(none))).not.toBe('taken')
    const many = (length: number) => ({ Operations: Array.from({ length }, () => ({ op: 'add' })) })
    expect([1_000, 1_001].map((length) => refusal(() => readOperations(many(length))) === 'taken')).toEqual([
      ...[true, false],
    ])
  })
})

describe('a filter', () => {
  const names = ['username', 'emails.value', 'active']
  const read = (filter: string | undefined) => readFilter(filter, names)

  it('compares by eq in any case, with quotes and schema prefixes [SN-05]', () => {
    for (const nothing of [undefined, '', '  ']) expect(read(nothing)).toEqual([])
    const ann = { attribute: 'username', value: 'ann' }
    const core = 'urn:ietf:params:scim:schemas:core:2.0:User:'
    for (const filter of ['userName eq "Ann"', ' USERNAME EQ "ANN" ', `${core}userName eq "ann"`])
      expect(read(filter)).toEqual([ann])
    for (const filter of ['emails.value eq "a"', 'emails[type eq "work"].value eq "A"'])
      expect(read(filter)).toEqual([{ attribute: 'emails.value', value: 'a' }])
    expect(read('userName eq ""')).toEqual([{ attribute: 'username', value: '' }])
  })

  it('joins comparisons by and, outside of quotes [SN-05]', () => {
    expect(read('userName eq "ann" AND active eq True')).toEqual([
      { attribute: 'username', value: 'ann' },
      { attribute: 'active', value: 'true' },
    ])
    expect(read('userName eq "salt and pepper and oil" and active eq false')).toEqual([
      { attribute: 'username', value: 'salt and pepper and oil' },
      { attribute: 'active', value: 'false' },
    ])
  })

  it('is refused in any other form or when it is too long [SN-05]', () => {
    const other = ['title eq "x"', 'userName co "x"', 'userName eq x', 'userName eq "x" or active eq true']
    for (const filter of [...other, 'x userName eq "x"', 'userName eq "x" x', 'and', 'active eq truely'])
      expect(refusal(() => read(filter))).toBe(
        'The filter compares none of username, emails.value, active by eq.',
      )
    const of = (length: number) => `userName eq "x"${' '.repeat(length - 15)}`
    expect(refusal(() => read(of(500)))).toBe('taken')
    expect(refusal(() => read(of(501)))).toBe('The filter is too long.')
    expect(refusal(() => read(`userName eq "${'x'.repeat(300)}"`))).toBe('taken')
    expect(refusal(() => read(`userName eq "${'x'.repeat(301)}"`))).not.toBe('taken')
  })
})
