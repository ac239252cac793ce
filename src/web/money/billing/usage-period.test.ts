import { describe, expect, it } from 'vitest'
import { fillSteps, keyOf, roundScale, spanOf } from './usage-period.ts'

const now = new Date(2026, 10, 22, 17, 30)
const aStep = (start: string, amount = 1) => ({ start, amount, tokens: 10, calls: 1 })

describe('usage periods', () => {
  it('span whole local days', () => {
    const days = (period: Parameters<typeof spanOf>[0]) => {
      const { from, to } = spanOf(period, now)
      return [from && keyOf(from), to && keyOf(to)]
    }
    expect(days('month')).toEqual(['2026-11-01', '2026-12-01'])
    expect(days('last_month')).toEqual(['2026-10-01', '2026-11-01'])
    expect(days('quarter')).toEqual(['2026-08-25', '2026-11-23'])
    expect(days('all')).toEqual([null, null])
    expect(keyOf(spanOf('last_month', new Date(2026, 0, 31)).from as Date)).toBe('2025-12-01')
  })

  it('include every day, with or without usage and across clock changes', () => {
    const steps = fillSteps(spanOf('month', now), [aStep('2026-11-03')], now)
    expect(steps).toHaveLength(30)
    expect(steps.filter(({ calls }) => calls > 0)).toEqual([aStep('2026-11-03')])
    expect(fillSteps(spanOf('quarter', now), [], now)).toHaveLength(90)
  })

  it('cover every month since the first use when unbounded', () => {
    const steps = fillSteps(spanOf('all', now), [aStep('2026-08-01'), aStep('2026-10-01')], now)
    expect(steps.map(({ start }) => start)).toEqual(['2026-08-01', '2026-09-01', '2026-10-01', '2026-11-01'])
    expect(fillSteps(spanOf('all', now), [], now)).toHaveLength(1)
  })
})

it.each([
  [1.4, [0, 1, 2]],
  [0.004, [0, 0.002, 0.004]],
  [37, [0, 20, 40]],
  [480, [0, 250, 500]],
  [0, [0, 1, 2]],
])("round the chart's grid lines up to %d", (largest, lines) => {
  expect(roundScale(largest).map((value) => Number(value.toPrecision(6)))).toEqual(lines)
})
