import { beforeEach, describe, expect, it } from 'vitest'
import { startTexts } from '#tests/web/render-page.tsx'
import { type BuiltInValues, fieldsToFill, textOf } from './fill-prompt.ts'

const builtIn: BuiltInValues = {
  ...{ today: '2026-11-29', user_name: 'Claire Delmas', language: 'English', project: 'Renewals' },
  ...{ selected_text: 'Article 9.2', last_reply: 'No, it is not owed.' },
}
const none: BuiltInValues = { ...builtIn, project: '', selected_text: '', last_reply: '' }
const field = (name: string, type: 'text' | 'date' | 'choice' | 'number' | 'document', more = {}) => ({
  ...{ name, label: '', type, required: false, ...more },
})

beforeEach(() => startTexts('en'))

describe('built-in fields', () => {
  const text = '{{today}}|{{user_name}}|{{language}}|{{selected_text}}|{{last_reply}}|{{project}}'

  it('write the date, name, language, selection, last reply and project [PL-04]', () => {
    const fields = fieldsToFill({ text, fields: [] }, builtIn, String)
    expect(fields).toEqual([])
    expect(textOf({ text }, fields, {}, builtIn)).toBe(
      '29 November 2026|Claire Delmas|English|Article 9.2|No, it is not owed.|Renewals',
    )
  })

  it('write the date as the language writes it', async () => {
    await startTexts('fr')
    expect(textOf({ text: '{{today}}' }, [], {}, builtIn)).toBe('29 novembre 2026')
  })

  it('are asked for when they have no value', () => {
    const fields = fieldsToFill({ text, fields: [] }, none, (name) => `Label of ${name}`)
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['selected_text', 'long_text'],
      ['last_reply', 'long_text'],
      ['project', 'text'],
    ])
    expect(textOf({ text: '<{{project}}>' }, fields, { project: 'Offices' }, none)).toBe('<Offices>')
  })

  it('fill defaults, a date in the form of its field', () => {
    const fields = [
      field('due', 'date', { value: '{{today}}' }),
      field('who', 'text', { value: 'For {{user_name}}' }),
      field('size', 'choice', { options: ['a'], value: '{{project}}' }),
    ]
    expect(fieldsToFill({ text: '', fields }, builtIn, String).map(({ value }) => value)).toEqual([
      '2026-11-29',
      'For Claire Delmas',
      undefined,
    ])
  })
})

describe('the text of a prompt', () => {
  it('has the values as typed, dates in words and names of documents', () => {
    const text = '{{who}} owes {{sum}} by {{due}}, see {{papers}}.{{note}}'
    const fields = fieldsToFill(
      {
        text,
        fields: [
          field('who', 'text'),
          field('sum', 'number'),
          field('due', 'date'),
          field('papers', 'document'),
          field('note', 'text'),
        ],
      },
      builtIn,
      String,
    )
    const file = { size: 0, state: 'chosen' as const, stored: null, reason: '' }
    const papers = [
      { ...file, key: 'a', name: 'Lease.pdf' },
      { ...file, key: 'b', name: 'Offer.pdf' },
    ]
    const draft = { who: ' Kessler {{sum}} ', sum: '10 908,50', due: '2026-12-01', papers }
    expect(textOf({ text }, fields, draft, builtIn)).toBe(
      'Kessler {{sum}} owes 10 908,50 by 1 December 2026, see Lease.pdf, Offer.pdf.',
    )
  })
})
