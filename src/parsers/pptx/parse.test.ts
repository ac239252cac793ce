import { afterAll, describe, expect, it } from 'vitest'
import { pptxOf } from '#tests/office.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const frame = (x: number, y: number, width: number, height: number) =>
  `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm></p:spPr>`
const line = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`
const shape = (placeholder: string, where: string, body: string) =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr>${where}<p:txBody>${body}</p:txBody></p:sp>`

describe('pptx', () => {
  it('reads slides as pages: first the title, bullets with their levels, and notes', async () => {
    const { markdown, pages, elements } = await parseBytes(
      'a.pptx',
      pptxOf([
        {
          shapes:
            shape(
              '<p:ph idx="1"/>',
              frame(0, 100_000, 500_000, 200_000),
              line('One') + line('Deep', '<a:pPr lvl="1"/>') + line('Bare', '<a:pPr><a:buNone/></a:pPr>'),
            ) +
            shape(
              '',
              frame(0, 400_000, 100, 100),
              line('First', '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>') +
                line('Second', '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>'),
            ) +
            shape('<p:ph type="title"/>', frame(0, 0, 1_000_000, 100_000), line('Plan')) +
            shape('<p:ph type="sldNum"/>', '', line('1')) +
            shape('<p:ph type="ftr"/>', '', line('Confidential')),
          notes: 'Say hello',
        },
        { shapes: shape('', '', line('Second slide')) },
      ]),
    )
    expect(markdown).toBe(
      '# Plan\n\n- One\n    - Deep\n\nBare\n\n1. First\n2. Second\n\nSay hello\n\nSecond slide',
    )
    expect(pages).toHaveLength(2)
    expect(elements[0]?.place).toEqual({ boxes: [{ page: 1, box: [0, 0, 1, 0.2] }] })
    expect(elements.find(({ type }) => type === 'Footer')?.text).toBe('Confidential')
    expect(elements.find(({ text }) => text === 'Say hello')?.extra).toEqual({ notes: true })
  })

  it('reads columns one after the other, and shapes in groups at their displayed position', async () => {
    const at = (x: number, y: number, text: string) => shape('', frame(x, y, 300_000, 100_000), line(text))
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="500000" y="0"/><a:ext cx="300000" cy="500000"/><a:chOff x="0" y="0"/><a:chExt cx="600000" cy="1000000"/></a:xfrm></p:grpSpPr>${shape('', frame(0, 0, 600_000, 200_000), line('right'))}</p:grpSp>`
    const { elements } = await parseBytes(
      'a.pptx',
      pptxOf([{ shapes: group + at(0, 300_000, 'left low') + at(0, 0, 'left') }]),
    )
    expect(elements.map(({ text }) => text)).toEqual(['left', 'left low', 'right'])
    expect(elements[2]?.place?.boxes?.[0]?.box).toEqual([0.5, 0, 0.8, 0.2])
  })

  it('reads tables', async () => {
    const cell = (text: string, attributes = '') =>
      `<a:tc ${attributes}><a:txBody>${line(text)}</a:txBody></a:tc>`
    const table = `<p:graphicFrame><p:nvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('A', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('b')}${cell('c')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
    const { elements } = await parseBytes('a.pptx', pptxOf([{ shapes: table }]))
    expect(elements[0]?.cells).toEqual([
      { row: 0, column: 0, text: 'A', columnSpan: 2, isHeader: true },
      { row: 1, column: 0, text: 'b' },
      { row: 1, column: 1, text: 'c' },
    ])
  })

  it('stops at the limit of pages and reports it', async () => {
    const { pages, warnings } = await parseBytes(
      'a.pptx',
      pptxOf([{ shapes: '' }, { shapes: '' }, { shapes: '' }]),
      { limits: { pages: 2 } },
    )
    expect(pages).toHaveLength(2)
    expect(warnings).toEqual([{ code: 'pages_skipped', values: { count: 1 } }])
  })
})
