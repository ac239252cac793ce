import { expect, it } from 'vitest'
import { createAlarm } from './alarm.ts'

it('an alarm wakes with all names rung since the last wait, or null when a ring had none', async () => {
  const alarm = createAlarm()
  const waiting = alarm.wait(60_000)
  alarm.ring(['one'])
  expect(await waiting).toEqual(new Set(['one']))
  alarm.ring(['two'])
  alarm.ring(['two', 'three'])
  expect(await alarm.wait(60_000)).toEqual(new Set(['two', 'three']))
  alarm.ring(['four'])
  alarm.ring(null)
  alarm.ring(['five'])
  expect(await alarm.wait(60_000)).toBeNull()
  expect(await alarm.wait(1)).toEqual(new Set())
})
