import { useCallback, useEffect, useRef } from 'react'
import { hasWrittenChats } from '../../runs/sessions/sessions.ts'

const inputs = ['keydown', 'pointerdown', 'input'] as const

/**
 * Returns a function that tells whether the person has done nothing since the frame appeared, and has written no message
 * before.
 */
export function useUntouched(): () => boolean {
  const isTouched = useRef(false)
  useEffect(() => {
    const touch = () => {
      isTouched.current = true
    }
    for (const name of inputs) addEventListener(name, touch, { capture: true, once: true })
    return () => {
      for (const name of inputs) removeEventListener(name, touch, { capture: true })
    }
  }, [])
  return useCallback(
    () => !isTouched.current && !hasWrittenChats() && document.querySelector('[data-message]') === null,
    [],
  )
}
