import { describe, expect, it } from 'vitest'
import {
  choiceOf,
  emptySelection,
  intervalsFor,
  isComplete,
  toggleFolder,
  toSelection,
} from './connector-draft.ts'

describe('folders', () => {
  it('are chosen with all folders below them', () => {
    expect(toggleFolder(['a/b', 'a/b/c', 'ab'], 'a')).toEqual(['ab', 'a'])
    expect(toggleFolder(['a', 'b'], 'a')).toEqual(['b'])
  })

  it('tell whether they, a folder above or a folder below is chosen', () => {
    const chosen = ['a/b']
    const choices = ['a/b', 'a/b/c', 'a', 'a/bc', 'b'].map((path) => choiceOf(chosen, path))
    expect(choices).toEqual(['chosen', 'above', 'part', 'none', 'none'])
  })
})

describe('selection', () => {
  it('has one name of files per line or comma, without empty ones', () => {
    const draft = { ...emptySelection, include: '*.pdf, *.docx\n\n *.md ', exclude: ' ' }
    expect(toSelection(draft)).toEqual({ folders: [], include: ['*.pdf', '*.docx', '*.md'], exclude: [] })
  })

  it('drops chosen folders when all are read', () => {
    const draft = { ...emptySelection, folders: ['a'] }
    expect(toSelection(draft).folders).toEqual([])
    expect(toSelection({ ...draft, hasAll: false }).folders).toEqual(['a'])
  })

  it('is incomplete without a folder when only some are read', () => {
    expect(isComplete({ ...emptySelection, hasAll: false })).toBe(false)
    expect(isComplete({ ...emptySelection, hasAll: false, folders: ['a'] })).toBe(true)
  })
})

describe('intervals', () => {
  it('end at 12 hours when rights are mirrored, and include the one in use', () => {
    expect(intervalsFor('mirrored', 30)).toEqual([15, 30, 60, 240, 720])
    expect(intervalsFor('named', 60).at(-1)).toBe(10_080)
  })
})
