import { describe, expect, it } from 'vitest'
import { cutTable } from './cut-table.ts'

const box = (page: number) => ({ page, box: [0, 0, 1, 1] as [number, number, number, number] })
const rows = (count: number) => Array.from({ length: count }, (_, at) => `row ${at + 1}\t${at}`)

describe('cutTable', () => {
  it('repeats the head in each portion, within the limit', () => {
    const portions = cutTable({ text: ['name\tsum', ...rows(40)].join('\n'), place: {} }, 120)
    expect(portions.length).toBeGreaterThan(3)
    for (const { text } of portions) {
      expect(text.startsWith('name\tsum\n')).toBe(true)
      expect(text.length).toBeLessThanOrEqual(120)
    }
    const all = portions.flatMap(({ text }) => text.split('\n').slice(1))
    expect(all).toEqual(rows(40))
  })

  it('gives each portion the pages of its rows', () => {
    const place = { page: 1, boxes: [box(1), box(2), box(3)] }
    const text = ['name\tsum', ...rows(29)].join('\n')
    const portions = cutTable({ text, place, rowPages: '10 10 10' }, 70)
    expect(portions[0]?.place).toEqual({ page: 1, boxes: [box(1)] })
    expect(portions.at(-1)?.place).toEqual({ page: 3, boxes: [box(3)] })
  })

  it('gives each portion the cells of its rows', () => {
    const text = ['name\tsum', ...rows(29)].join('\n')
    const portions = cutTable({ text, place: { sheet: 'S', range: 'B3:C32' } }, 100)
    expect(portions[0]?.place.range).toMatch(/^B3:C\d+$/)
    expect(portions.at(-1)?.place.range).toMatch(/^B\d\d:C32$/)
  })

  it('cuts a row that is longer than a portion', () => {
    const portions = cutTable({ text: `head\n${'x'.repeat(250)}`, place: {} }, 100)
    expect(portions.every(({ text }) => text.length <= 100)).toBe(true)
    expect(portions.map(({ text }) => text.match(/x/g)?.length ?? 0).reduce((a, b) => a + b)).toBe(250)
  })
})
