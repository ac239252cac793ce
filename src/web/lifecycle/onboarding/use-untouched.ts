import { useCallback, useEffect, useRef } from 'react'

const inputs = ['keydown', 'pointerdown', 'input'] as const

/** Returns a function that tells whether the person has done nothing since the frame appeared, and sees no messages. */
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
  return useCallback(() => !isTouched.current && document.querySelector('[data-message]') === null, [])
}
