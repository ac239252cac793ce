import { afterEach, expect, it, vi } from 'vitest'
import { quietTransitions } from './view-transitions.ts'

afterEach(() => {
  Reflect.deleteProperty(document, 'startViewTransition')
})

it('handles a skipped view transition, and leaves errors of the update to its caller', async () => {
  const skipped = new DOMException('Transition was skipped', 'AbortError')
  const handled = vi.spyOn(Promise.prototype, 'catch')
  const [ready, finished] = [Promise.reject(skipped), Promise.resolve()]
  const transition = { ready, finished, updateCallbackDone: Promise.resolve() }
  document.startViewTransition = (() => transition) as never
  quietTransitions()
  handled.mockClear()
  expect(document.startViewTransition(() => undefined)).toBe(transition)
  expect(handled.mock.contexts).toEqual([ready, finished])
  handled.mockRestore()
})
