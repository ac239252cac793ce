import { describe, expect, it } from 'vitest'
import { suggestFields } from './suggest-fields.ts'

const found = (text: string) => suggestFields(text).map(({ kind, value }) => [kind, value])

describe('suggestFields', () => {
  it('finds the values of a message in their order', () => {
    const text =
      'Remind Kessler Technik that invoice F-2026-0781 of 12 March 2026 over 10,908.50 € is due on 2026-04-11. Write to billing@kessler.example and use the title “Second reminder”.'
    expect(found(text)).toEqual([
      ['name', 'Kessler Technik'],
      ['reference', 'F-2026-0781'],
      ['date', '12 March 2026'],
      ['amount', '10,908.50'],
      ['date', '2026-04-11'],
      ['email', 'billing@kessler.example'],
      ['quote', 'Second reminder'],
    ])
  })

  it('finds them in French', () => {
    const text =
      'Relance Kessler Technik pour l’avoir de la facture F-2026-0781 du 1er avril 2026, soit 10 908 €, avant le 11/04/2026. Titre : « Deuxième relance », 30 jours.'
    expect(found(text)).toEqual([
      ['name', 'Kessler Technik'],
      ['reference', 'F-2026-0781'],
      ['date', '1er avril 2026'],
      ['amount', '10 908'],
      ['date', '11/04/2026'],
      ['quote', 'Deuxième relance'],
      ['number', '30'],
    ])
  })

  it.each([
    ['12 March 2026', '2026-03-12'],
    ['March 12th, 2026', '2026-03-12'],
    ['1er août 2026', '2026-08-01'],
    ['11/04/2026', '2026-04-11'],
    ['11.04.2026', '2026-04-11'],
  ])('reads %j as the day %s', (value, day) => {
    expect(suggestFields(`due on ${value} at noon`)).toContainEqual({
      kind: 'date',
      type: 'date',
      value,
      initial: day,
    })
  })

  it.each([
    ['10 908 €', '10908'],
    ['10,908.50 €', '10908.50'],
    ['1.234.567,89 EUR', '1234567,89'],
    ['$12.5', '12.5'],
  ])('reads %j as the number %s', (written, initial) => {
    expect(suggestFields(`it costs ${written} in total`)).toMatchObject([
      { kind: 'amount', type: 'number', initial },
    ])
  })

  it('never finds placeholders, impossible days, or one value twice', () => {
    expect(found('The {{F-2026-01}} of 31/02/2026')).toEqual([])
    expect(found('from Lyon to Lyon and back')).toEqual([['name', 'Lyon']])
    expect(found('a plain sentence without values')).toEqual([])
  })

  it('stays fast with a long text', () => {
    const start = performance.now()
    suggestFields('Aa-1 10 000 12 mars x@y '.repeat(40_000))
    suggestFields(`${'9'.repeat(50_000)} ${'A'.repeat(50_000)}`)
    expect(performance.now() - start).toBeLessThan(3_000)
  })
})
