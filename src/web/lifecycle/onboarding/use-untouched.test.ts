import { cleanup, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { aSession } from '#tests/web/session-builder.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useUntouched } from './use-untouched.ts'

afterEach(() => {
  cleanup()
  queryClient.clear()
  document.body.replaceChildren()
})

describe('page without input', () => {
  it('is untouched until a key, a click or an input', () => {
    for (const touch of [fireEvent.keyDown, fireEvent.pointerDown, fireEvent.input]) {
      const { result } = renderHook(useUntouched)
      expect(result.current()).toBe(true)
      touch(document.body)
      expect(result.current()).toBe(false)
      cleanup()
    }
  })

  it('is not untouched once it shows a message', () => {
    const { result } = renderHook(useUntouched)
    document.body.innerHTML = '<article data-message="1"></article>'
    expect(result.current()).toBe(false)
  })

  it('is not untouched when a chat of an earlier visit has messages', () => {
    const { result } = renderHook(useUntouched)
    const list = (preview: string | null) =>
      queryClient.setQueryData(['sessions', 'list', ''], {
        pages: [{ items: [aSession({ preview })], total: 1 }],
        pageParams: [0],
      })
    list(null)
    expect(result.current()).toBe(true)
    list('The rent is 4,200 euros.')
    expect(result.current()).toBe(false)
  })
})
