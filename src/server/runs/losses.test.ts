import { expect, it } from 'vitest'
import { givenUp, isSuspect, judge, NO_LOSSES } from './losses.ts'

it('a run that is lost goes on, is ended, and when that is lost too, is ended without its journal', () => {
  const of = (silent: number, fruitless: number) => judge({ silent, fruitless })
  expect(judge(NO_LOSSES)).toBe('goes_on')
  expect([0, 2, 3, 4].map((silent) => of(silent, 0))).toEqual(['goes_on', 'goes_on', 'ends', 'ends_unread'])
  expect([9, 10, 11].map((fruitless) => of(0, fruitless))).toEqual(['goes_on', 'ends', 'ends_unread'])
  expect([of(3, 11), of(4, 10), of(2, 10), of(3, 9)]).toEqual([
    ...['ends_unread', 'ends_unread', 'ends', 'ends'],
  ])
})

it('a run that took its process along twice may be what stops it', () => {
  expect([0, 1, 2, 3].map((silent) => isSuspect({ silent }))).toEqual([false, false, true, true])
})

it('a run that is given up says which of the two it was', () => {
  const why = (silent: number) => givenUp({ silent, fruitless: 10 })
  expect(why(3)).toMatchObject({ code: 'broken', detail: expect.stringContaining('stopped the server') })
  expect(why(2).detail).toContain('was interrupted again and again')
})
