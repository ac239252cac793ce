import { cleanup, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { useUntouched } from './use-untouched.ts'

afterEach(() => {
  cleanup()
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
})
