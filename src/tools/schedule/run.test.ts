import { describe, expect, it } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import run from './run.ts'

const propose = (input: object) =>
  run(contract.input.parse({ name: 'Watch', text: 'What is new?', ...input }), aToolContext())

describe('the schedule tool', () => {
  it('makes a proposal of each kind of repetition', async () => {
    expect((await propose({ repeats: 'weekdays', days: [1], time: '08:00' })).rule).toEqual({
      ...{ kind: 'weekdays', days: [1], time: '08:00' },
    })
    expect((await propose({ repeats: 'hours', count: 2 })).rule).toEqual({
      kind: 'interval',
      count: 2,
      unit: 'hours',
    })
    expect((await propose({ repeats: 'month_days', days: [-1] })).rule).toEqual({
      ...{ kind: 'month_days', days: [-1], time: '08:00' },
    })
    expect(await propose({ repeats: 'once', date: '2027-01-04' })).toMatchObject({
      rule: { kind: 'once', date: '2027-01-04', time: '08:00' },
      waits_for_confirmation: true,
    })
  })

  it('refuses days that do not fit', async () => {
    await expect(propose({ repeats: 'weekdays', days: [9] })).rejects.toMatchObject({ code: 'invalid' })
    await expect(propose({ repeats: 'once' })).rejects.toMatchObject({ code: 'invalid' })
  })
})
