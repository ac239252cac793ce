import { describe, expect, it } from 'vitest'
import { splitMatch } from '../../../platform/ui/marked.tsx'
import { markWords } from './match-text.ts'
import { limitTitle, titleToSend } from './rename.ts'
import {
  noSelection,
  pruneSelection,
  selectRange,
  startSelection,
  toggleAll,
  toggleSelected,
} from './selection.ts'
import { markOf } from './session-mark.ts'
import { findTyped } from './type-ahead.ts'

describe('rename', () => {
  it('keeps at most 50 characters [SE-07]', () => {
    expect(limitTitle('x'.repeat(60))).toHaveLength(50)
    expect(limitTitle(`${'x'.repeat(49)}😀`)).toBe('x'.repeat(49))
  })

  it('sends nothing for an empty or an unchanged title [SE-08]', () => {
    expect(titleToSend('   ', 'Old')).toBeNull()
    expect(titleToSend(' Old ', 'Old')).toBeNull()
    expect(titleToSend(' New ', 'Old')).toBe('New')
  })
})

describe('marks', () => {
  it.each([
    [undefined, 'loading'],
    ['GENERATING', 'running'],
    ['COMPLETED', 'completed'],
    ['FAILED', 'failed'],
    ['NEW', 'new'],
    ['active', 'idle'],
    ['something', 'unknown'],
  ])('shows the status %s as %s [SE-12, G-11]', (status, mark) => {
    expect(markOf({ status })).toBe(mark)
  })

  it('shows a paused agent, and a waiting question [SE-13]', () => {
    const approver = { company_id: 'c', by: null, deputy: null, deputy_from: null }
    expect(markOf({ status: 'active', agent_status: 'paused', pending_input: { approver } })).toBe('paused')
    expect(markOf({ status: 'active', agent_status: 'paused', pending_input: null })).toBe('paused')
    expect(markOf({ status: 'active', agent_status: 'paused', pending_input: { prompt: '?' } })).toBe(
      'waiting',
    )
  })

  it("shows the agent's status while the session has none [SE-13]", () => {
    const shown = (agent_status: unknown) => markOf({ status: 'active', agent_status })
    expect(['processing', 'completed', 'error', null].map(shown)).toEqual([
      'running',
      'completed',
      'failed',
      'idle',
    ])
  })

  it('shows any other agent status as unknown [SE-13]', () => {
    expect(markOf({ status: 'active', agent_status: 'dreaming' })).toBe('unknown')
  })

  it('shows a stopped reply as stopped, not completed', () => {
    expect(markOf({ status: 'COMPLETED', agent_status: 'completed', is_stopped: true })).toBe('stopped')
    expect(markOf({ status: 'GENERATING', agent_status: 'processing', is_stopped: true })).toBe('running')
  })
})

describe('selection', () => {
  const order = ['a', 'b', 'c', 'd', 'e']
  const chosen = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort().join('')

  it('toggles single sessions [SE-09]', () => {
    const two = toggleSelected(startSelection('b'), 'd')
    expect(chosen(two)).toBe('bd')
    expect(chosen(toggleSelected(two, 'b'))).toBe('d')
    expect(noSelection.isActive).toBe(false)
  })

  it('selects a range from its anchor, and restores what a shorter one excludes [SE-09]', () => {
    const wide = selectRange(startSelection('b'), 'e', order)
    expect(chosen(wide)).toBe('bcde')
    expect(chosen(selectRange(wide, 'c', order))).toBe('bc')
    expect(chosen(selectRange(wide, 'a', order))).toBe('ab')
  })

  it('preserves the selection before the range [SE-09]', () => {
    const before = toggleSelected(startSelection('a'), 'd')
    expect(chosen(selectRange(before, 'e', order))).toBe('ade')
  })

  it('starts a range at the row itself if there is no anchor [SE-09]', () => {
    expect(chosen(selectRange(startSelection(), 'c', order))).toBe('c')
  })

  it('selects all, then none [SE-09]', () => {
    const all = toggleAll(startSelection('b'), order)
    expect(chosen(all)).toBe('abcde')
    expect(chosen(toggleAll(all, order))).toBe('')
  })

  it('removes sessions that are gone [SE-09]', () => {
    const selection = toggleAll(startSelection(), order)
    expect(chosen(pruneSelection(selection, ['a', 'c']))).toBe('ac')
    expect(pruneSelection(selection, order)).toBe(selection)
  })
})

describe('search hits', () => {
  it('marks the hit inside the passage [SE-24]', () => {
    expect(splitMatch('for \uE000Kessler\uE001. Notice \uE000Kessler\uE001')).toEqual([
      { text: 'for ', isHit: false },
      { text: 'Kessler', isHit: true },
      { text: '. Notice ', isHit: false },
      { text: 'Kessler', isHit: true },
    ])
    expect(splitMatch('\uE000Kessler\uE001')).toEqual([{ text: 'Kessler', isHit: true }])
    expect(splitMatch('plain')).toEqual([{ text: 'plain', isHit: false }])
  })

  it('marks the words in the title, ignoring accents and case [SE-24]', () => {
    expect(markWords('Matérialité 2026', 'materia 2026')).toEqual([
      { text: 'Matéria', isHit: true },
      { text: 'lité ', isHit: false },
      { text: '2026', isHit: true },
    ])
    expect(markWords('Nothing', 'else')).toEqual([{ text: 'Nothing', isHit: false }])
  })
})

describe('type-ahead', () => {
  const titles = ['Kessler', 'HVAC', 'Hôtel', 'Audit']

  it('finds the next title with the typed prefix [SE-04]', () => {
    expect(findTyped(titles, 'ho', 0)).toBe(2)
    expect(findTyped(titles, 'k', 2)).toBe(0)
    expect(findTyped(titles, 'z', 0)).toBe(-1)
  })

  it('moves to the next hit when one letter is repeated [SE-04]', () => {
    expect(findTyped(titles, 'h', 0)).toBe(1)
    expect(findTyped(titles, 'hh', 1)).toBe(2)
  })
})
