import { describe, expect, it } from 'vitest'
import { findConflict, refuseKeys } from './shortcut-rules.ts'
import { keysOfAction, type ShortcutAction, shortcutTable } from './shortcut-table.ts'

const actions = Object.values(shortcutTable).flatMap((place) => Object.keys(place) as ShortcutAction[])

describe('shortcut rules', () => {
  it('have defaults without conflicts', () => {
    for (const action of actions)
      expect(findConflict(action, keysOfAction(action, {}), {}), action).toBeNull()
    expect(new Set(actions).size).toBe(actions.length)
  })

  it('accept the default keys of every action', () => {
    for (const action of actions) expect(refuseKeys(action, keysOfAction(action, {})), action).toBeNull()
  })

  it.each([
    ['new_chat', 'mod+t', 'browser'],
    ['new_chat', 'mod+shift+n', 'browser'],
    ['new_chat', 'f5', 'browser'],
    ['new_chat', 'mod+c', 'editing'],
    ['new_chat', 'enter', 'page'],
    ['approve', 'tab', 'page'],
    ['send', 'x', 'typing'],
    ['send', 'shift+x', 'typing'],
    ['new_chat', '', 'malformed'],
    ['new_chat', 'shift+mod+k', 'malformed'],
    ['new_chat', 'mod+K', 'malformed'],
    ['new_chat', 'mod+', 'malformed'],
    ['new_chat', 'mod+shift+e', null],
    ['new_chat', 'n', null],
    ['new_chat', 'mod+é', null],
    ['send', 'mod+enter', null],
    ['approve', 'y', null],
    ['rename', 'mod+shift+x', null],
  ] as const)('answer %s with %s: %s', (action, keys, reason) => {
    expect(refuseKeys(action, keys)).toBe(reason)
  })

  it('find a conflict in the same place and with actions of every place', () => {
    expect(findConflict('new_chat', 'mod+k', {})).toBe('palette')
    expect(findConflict('approve', 'j', {})).toBe('next_request')
    expect(findConflict('approve', 'mod+k', {})).toBe('palette')
    expect(findConflict('new_chat', 'j', {})).toBe('next_request')
    expect(findConflict('approve', 'f2', {})).toBeNull()
    expect(findConflict('new_chat', 'mod+k', { palette: 'mod+j' })).toBeNull()
    expect(findConflict('new_chat', 'mod+j', { palette: 'mod+j' })).toBe('palette')
  })
})
