import { afterAll, describe, expect, it } from 'vitest'
import { docxOf } from '#tests/office.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const p = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
const read = (...body: Parameters<typeof docxOf>) => parseBytes('a.docx', docxOf(...body))
const drawing = (content: string) => `<w:p><w:r><w:drawing>${content}</w:drawing></w:r></w:p>`
const names = [
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
].join(' ')
const title = (text: string) =>
  `<c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title>`
const points = (values: string[]) =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')
const chart = `<c:chartSpace ${names}><c:chart>${title('Harbour')}<c:plotArea><c:ser>
  <c:cat><c:strCache>${points(['Brest', 'Kiel'])}</c:strCache></c:cat><c:val><c:numCache>${points(['4', '7'])}</c:numCache></c:val>
  </c:ser><c:catAx>${title('Port')}</c:catAx><c:valAx>${title('Ships')}</c:valAx></c:plotArea></c:chart></c:chartSpace>`
const chartIn = (id: string) => drawing(`<c:chart ${names} r:id="${id}"/>`)

describe('words of an office file', () => {
  it('are compared with those that were read', async () => {
    const { letters, warnings } = await read(p('Ten ships') + p('left Brest.'))
    expect(letters).toEqual({ drawn: 17, missing: 0 })
    expect(warnings).toEqual([])
  })

  it('are reported when they are in a place that is not read', async () => {
    const { letters, warnings } = await read(
      `${p('Ten ships')}<w:tbl><w:tr>${cell(chartIn('chart1.xml'))}${cell(p('left'))}</w:tr></w:tbl>`,
      { 'chart1.xml': chart },
    )
    expect(letters).toEqual({ drawn: 28, missing: 16 })
    expect(warnings).toEqual([{ code: 'words_missing', values: { count: 3, words: 'Harbour Port Ships' } }])
  })

  it('count neither deleted text, copies for old programs, formulas, nor covered cells', async () => {
    const { letters } = await read(
      `<w:p><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del>
       <w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>moved</w:t></w:r></w:moveTo>
       <w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:txbxContent>${p('boxed')}</w:txbxContent></mc:Choice>
       <mc:Fallback><w:txbxContent>${p('boxed')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>
       </w:p><w:p><m:oMath><m:r><m:t>α</m:t></m:r></m:oMath></w:p>
       <w:tbl><w:tr>${cell(p('tall'), '<w:vMerge w:val="restart"/>')}${cell(p('one'))}</w:tr>
       <w:tr>${cell(p('covered'), '<w:vMerge/>')}${cell(p('two'))}</w:tr></w:tbl>`,
    )
    expect(letters).toEqual({ drawn: 20, missing: 0 })
  })

  it('count a running title as read once', async () => {
    const header = (text: string) =>
      `<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${p(text)}</w:hdr>`
    const { letters, warnings } = await read(p('Body'), {
      'header1.xml': header('Annual report'),
      'header2.xml': header('Annual report'),
    })
    expect(letters).toEqual({ drawn: 28, missing: 0 })
    expect(warnings).toEqual([])
  })
})

describe('docx', () => {
  it('reads charts with the titles of their axes, and diagrams', async () => {
    const diagram = `<dgm:dataModel ${names}><dgm:pt><dgm:t><a:p><a:r><a:t>Load</a:t></a:r></a:p></dgm:t></dgm:pt>
      <dgm:pt><dgm:t><a:p><a:r><a:t>Sail</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>`
    const { elements, warnings } = await read(
      chartIn('chart1.xml') + drawing(`<dgm:relIds ${names} r:dm="diagramData1.xml"/>`),
      { 'chart1.xml': chart, 'diagramData1.xml': diagram },
    )
    expect(elements.map(({ text }) => text)).toEqual([
      'Harbour – Ships',
      'Port\t\nBrest\t4\nKiel\t7',
      'Load',
      'Sail',
    ])
    expect(warnings).toEqual([])
  })

  it('attaches files that Word inserts when it opens the document', async () => {
    const { attachments } = await read(p('Body'), {
      'aFChunk1.xml': '<html><body><p>Inserted terms</p></body></html>',
    })
    expect(attachments.map(({ name }) => name)).toEqual(['aFChunk1.xml'])
  })
})
