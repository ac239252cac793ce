import { afterEach, describe, expect, it } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { meQuery } from './me.ts'
import { actionOf, isShortcut, keysOf, readKeys } from './shortcuts.ts'

const press = (key: string, more: Partial<Parameters<typeof readKeys>[0]> = {}) => ({
  ...{ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more },
})
const change = (shortcuts: Record<string, string>) =>
  queryClient.setQueryData(meQuery.queryKey, { shortcuts } as never)
afterEach(() => queryClient.clear())

describe('keys of a press', () => {
  it.each([
    ['Ctrl K', press('k', { ctrlKey: true }), 'mod+k'],
    ['Ctrl Shift O', press('O', { ctrlKey: true, shiftKey: true }), 'mod+shift+o'],
    ['a capital by Caps Lock', press('K', { ctrlKey: true }), 'mod+k'],
    ['a sign with Shift', press('?', { shiftKey: true }), '?'],
    ['a digit of a French keyboard', press('1', { shiftKey: true, code: 'Digit1' }), '1'],
    ['the label of a French key', press('a', { ctrlKey: true, code: 'KeyQ' }), 'mod+a'],
    ['a Cyrillic letter by its place', press('л', { ctrlKey: true, code: 'KeyK' }), 'mod+k'],
    ['Alt with a letter', press('å', { altKey: true, code: 'KeyA' }), 'alt+a'],
    ['an arrow', press('ArrowUp', { altKey: true, code: 'ArrowUp' }), 'alt+arrowup'],
    ['the space bar', press(' ', { shiftKey: true, code: 'Space' }), 'shift+space'],
    ['a modifier alone', press('Control', { ctrlKey: true }), null],
  ])('reads %s', (_name, event, keys) => {
    expect(readKeys(event)).toBe(keys)
  })
})

describe('actions of a press', () => {
  it('have their default keys until a person changes them', () => {
    expect(keysOf('palette')).toBe('mod+k')
    expect(actionOf(press('k', { ctrlKey: true }), 'everywhere')).toBe('palette')
    change({ palette: 'mod+j' })
    expect(actionOf(press('k', { ctrlKey: true }), 'everywhere')).toBeNull()
    expect(actionOf(press('j', { ctrlKey: true }), 'everywhere')).toBe('palette')
  })

  it('lose their other keys with a change', () => {
    expect(isShortcut(press('Backspace'), 'remove')).toBe(true)
    change({ remove: 'x' })
    expect(isShortcut(press('Backspace'), 'remove')).toBe(false)
    expect(isShortcut(press('x'), 'remove')).toBe(true)
  })

  it('belong to one place', () => {
    expect(actionOf(press('j'), 'inbox')).toBe('next_request')
    expect(actionOf(press('j'), 'history')).toBeNull()
  })

  it('ignore the Windows key', () => {
    expect(isShortcut(press('j', { metaKey: true }), 'next_request')).toBe(false)
  })
})
