import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import { zipOf } from '#tests/zip.ts'

afterAll(forgetParsed)

const urn = 'urn:oasis:names:tc:opendocument:xmlns'
const spaces = `xmlns:office="${urn}:office:1.0" xmlns:style="${urn}:style:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:text="${urn}:text:1.0" xmlns:table="${urn}:table:1.0" xmlns:draw="${urn}:drawing:1.0" xmlns:presentation="${urn}:presentation:1.0" xmlns:svg="${urn}:svg-compatible:1.0" xmlns:fo="${urn}:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"`

function odf(kind: string, body: string, styles = '', manifest = '<x/>') {
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${spaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${spaces}><office:automatic-styles><style:page-layout><style:page-layout-properties fo:page-width="20cm" fo:page-height="10cm"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page><style:footer><text:p>Foot</text:p></style:footer></style:master-page></office:master-styles></office:document-styles>`,
    'META-INF/manifest.xml': manifest,
  })
}

const bold = '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>'
const numbers =
  '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>'

describe('odf', () => {
  it('reads comments with their authors', async () => {
    const note =
      '<office:annotation><dc:creator>Ann</dc:creator><text:p>Too high?</text:p></office:annotation>'
    const { elements } = await parseBytes('a.odt', odf('text', `<text:p>Rent${note}</text:p>`))
    expect(elements.slice(0, 2).map((one) => one.text)).toEqual(['Rent', 'Ann: Too high?'])
  })

  it('reads texts: headings, lists, links, notes, tables', async () => {
    const cell = (text: string, more = '') =>
      `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`
    const { markdown, elements } = await parseBytes(
      'a.odt',
      odf(
        'text',
        `<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>
         <text:h text:outline-level="2">Plan</text:h><text:p>Some <text:span text:style-name="B">bold</text:span><text:s text:c="2"/>and <text:a xlink:href="https://a.example">link</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>below</text:p></text:note-body></text:note></text:p>
         <text:list text:style-name="L"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>deep</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
         <table:table><table:table-row>${cell('A', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row><table:table-row>${cell('b')}${cell('c')}</table:table-row></table:table>`,
        bold + numbers,
      ),
    )
    expect(markdown).toBe(
      '### Plan\n\nSome **bold** and [link](https://a.example)\\[1\\]\n\n1. one\n    - deep\n2. two\n\n| A |  |\n| --- | --- |\n| b | c |\n\n\\[1\\] below',
    )
    expect(elements.at(-1)).toMatchObject({ type: 'Footer', text: 'Foot' })
  })

  it('reads sheets as they are shown, and never what only fills them', async () => {
    const row =
      '<table:table-row><table:table-cell office:value-type="float" office:value="1.5" table:formula="of:=[.A1]*2"><text:p>1,50 €</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>same</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
    const { elements, keptText, warnings } = await parseBytes(
      'a.ods',
      odf(
        'spreadsheet',
        `<table:table table:name="One">${row}<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row></table:table><table:table table:name="Two" table:style-name="H">${row}</table:table>`,
        '<style:style style:name="H"><style:table-properties table:display="false"/></style:style>',
      ),
    )
    expect(elements.map(({ type, place }) => [type, place?.sheet, place?.range])).toEqual([
      ['Title', 'One', undefined],
      ['Table', 'One', 'A1:C1'],
      ['Title', 'Two', undefined],
      ['Table', 'Two', 'A1:C1'],
    ])
    expect(JSON.parse(await keptText('sheet-0-rows-0.json')).rows[0][0]).toEqual({
      c: 0,
      v: '1,50 €',
      t: 'n',
      f: '[.A1]*2',
    })
    expect(warnings).toEqual([{ code: 'hidden_sheets', values: { count: 1, names: 'Two' } }])
  })

  it('reads slides as pages with boxes and notes', async () => {
    const frame = (more: string, text: string) =>
      `<draw:frame svg:x="0cm" svg:y="0cm" svg:width="10cm" svg:height="5cm" ${more}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
    const { markdown, pages, elements } = await parseBytes(
      'a.odp',
      odf(
        'presentation',
        `<draw:page>${frame('', 'Body')}${frame('presentation:class="title"', 'Plan')}<presentation:notes>${frame('', 'Say it')}</presentation:notes></draw:page>`,
      ),
    )
    expect(markdown).toBe('# Plan\n\nBody\n\nSay it')
    expect(pages).toHaveLength(1)
    expect(elements[0]?.place?.boxes?.[0]).toEqual({ page: 1, box: [0, 0, 0.5, 0.5] })
  })

  it('says that a file has a password', async () => {
    const locked = odf('text', '', '', '<manifest:encryption-data/>')
    await expect(parseBytes('a.odt', locked)).rejects.toMatchObject({ code: 'encrypted' })
  })
})
