import { act, renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { useScheduleEdits } from './schedule-draft.ts'

describe('useScheduleEdits', () => {
  it('keeps what is typed while a change is being saved', () => {
    const { result } = renderHook(() => useScheduleEdits(null))
    act(() => result.current.change({ name: 'Watch', text: 'What is new?' }))
    const saved = result.current.edits
    act(() => result.current.change({ name: 'Watch Servia' }))
    act(() => result.current.noteSaved(saved))
    expect(result.current.edits).toEqual({ name: 'Watch Servia' })
  })
})
