import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTexts } from '#tests/web/render-page.tsx'
import { Values } from './values.tsx'

beforeAll(() => startTexts('en'))
afterEach(cleanup)

const show = (value: unknown, toolId = 'zeppelin', side: 'inputs' | 'outputs' = 'outputs') =>
  render(<Values {...{ toolId, side, value }} />)
const saidOf = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent

describe('values of a call', () => {
  it('use the labels of the tool, or readable forms of the field names', () => {
    show({ a: 21, operation: 'multiply', page_count: 2 }, 'calculator', 'inputs')
    expect(saidOf('First number')).toBe('21')
    expect(saidOf('Operation')).toBe('× multiply')
    expect(saidOf('Page count')).toBe('2')
  })

  it('show yes and no, a dash for empty, inline lists and stacked records', () => {
    show({
      ...{ is_day: true, is_late: false, note: null, names: [], also: ['Lyon', 'Lions'] },
      rows: [{ unit_price: 1234.5 }, { unit_price: 2 }],
      place: { town: 'Lyon' },
    })
    expect([saidOf('Is day'), saidOf('Is late'), saidOf('Note'), saidOf('Names')]).toEqual([
      'Yes',
      'No',
      '–',
      '–',
    ])
    expect(saidOf('Also')).toBe('Lyon, Lions')
    const prices = screen.getAllByText('Unit price', { selector: 'dt' })
    expect(prices.map((price) => price.nextElementSibling?.textContent)).toEqual(['1,234.5', '2'])
    expect(saidOf('Town')).toBe('Lyon')
  })

  it('switch to raw data and back', async () => {
    show({ note: 'so' })
    await userEvent.click(screen.getByRole('button', { name: 'Show as data' }))
    expect(screen.getByText(/"note": "so"/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Show in words' }))
    expect(saidOf('Note')).toBe('so')
  })

  it.each([
    ['text that is no data', '{"temp', /\{"temp/],
    ['a list', [{ a: 1 }], /"a": 1/],
    [
      'more fields than anybody reads',
      Object.fromEntries(Array.from({ length: 61 }, (_, n) => [`f${n}`, n])),
      /"f60": 60/,
    ],
    ['what lies deep', { a: { b: { c: { d: 1 } } } }, /"d": 1/],
  ])('leave %s unchanged', (_what, value, shown) => {
    show(value)
    expect(screen.getByText(shown)).toBeTruthy()
  })
})
