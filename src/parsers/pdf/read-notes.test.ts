import { describe, expect, it } from 'vitest'
import { buildPdf, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { parse } from './parse.ts'

const read = (annotations: string[]) =>
  readBytes(
    parse,
    'pdf',
    buildPdf([
      {
        width: 600,
        height: 800,
        content: [write(60, 700, 'Family name:'), write(60, 400, 'Remarks:')],
        annotations,
      },
    ]),
  )
const field = (entries: string, top = 715) =>
  `/Subtype /Widget /F 4 /Rect [160 ${top - 20} 360 ${top}] ${entries}`

describe('form fields', () => {
  it.each([
    ['text', field('/FT /Tx /T (family) /V (Okonkwo)'), 'family: Okonkwo'],
    ['a label', field('/FT /Tx /T (f[0].f1[0]) /TU (Family name) /V (Okonkwo)'), 'Family name: Okonkwo'],
    ['several lines', field('/FT /Tx /Ff 4096 /T (remarks) /V (One\\rTwo)'), 'remarks: One\nTwo'],
    ['a comb', field('/FT /Tx /Ff 16777216 /MaxLen 8 /T (iban) /V (DE123456)'), 'iban: DE123456'],
    [
      'a choice',
      field('/FT /Ch /T (country) /Opt [[(is) (Iceland)] [(pe) (Peru)]] /V (is)'),
      'country: Iceland',
    ],
    [
      'a ticked box',
      field('/FT /Btn /T (consent) /V /Yes /AS /Yes /AP << /N << /Yes null /Off null >> >>'),
      'consent: ☑ Yes',
    ],
  ])('returns %s', async (_, annotation, text) => {
    const { elements } = await read([annotation])
    expect(elements.map((one) => one.text)).toEqual(['Family name:', text, 'Remarks:'])
    expect(elements[1]).toMatchObject({ extra: { form_field: true }, place: { boxes: [{ page: 1 }] } })
  })

  it('omits empty fields, passwords and unticked boxes', async () => {
    const { elements } = await read([
      field('/FT /Tx /T (empty)'),
      field('/FT /Tx /Ff 8192 /T (password) /V (secret)'),
      field('/FT /Btn /T (consent) /V /Off /AS /Off /AP << /N << /Yes null /Off null >> >>'),
    ])
    expect(elements.map((one) => one.text)).toEqual(['Family name:', 'Remarks:'])
  })
})

it('returns the text of notes, stamps and highlights with their author', async () => {
  const at = '/Rect [60 690 90 710]'
  const { elements } = await read([
    `/Subtype /Text ${at} /T (Ann) /Contents (Ask the owner)`,
    `/Subtype /Stamp ${at} /Contents (APPROVED)`,
    `/Subtype /Highlight ${at} /QuadPoints [60 710 90 710 60 690 90 690] /Contents (Too high)`,
    `/Subtype /Link ${at} /Contents (elsewhere)`,
  ])
  const notes = elements.filter(({ extra }) => extra?.annotation)
  expect(notes.map(({ text }) => text)).toEqual(['Ann: Ask the owner', 'APPROVED', 'Too high'])
  const [left] = notes[0]?.place?.boxes?.[0]?.box ?? []
  expect(left).toBeCloseTo(0.1, 3)
})
