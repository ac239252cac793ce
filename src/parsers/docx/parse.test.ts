import { afterAll, describe, expect, it } from 'vitest'
import { docxOf, part } from '#tests/office.ts'
import { oleOf } from '#tests/ole.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import { zipOf } from '#tests/zip.ts'

afterAll(forgetParsed)

const text = (said: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${said}</w:t></w:r>`
const p = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const read = async (...body: Parameters<typeof docxOf>) => parseBytes('a.docx', docxOf(...body))

const styles = part(
  'w:styles',
  `<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>
   <w:style w:styleId="Own"><w:name w:val="Kapitel"/><w:basedOn w:val="H1"/></w:style>
   <w:style w:styleId="Out"><w:name w:val="Chapitre"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
   <w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style>`,
)
const level = (at: number, format: string, shown: string) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${shown}"/></w:lvl>`
const numbering = part(
  'w:numbering',
  `<w:abstractNum w:abstractNumId="0">${level(0, 'bullet', '•')}${level(1, 'lowerLetter', '%2)')}</w:abstractNum>
   <w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'decimal', '%1.%2')}</w:abstractNum>
   <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
   <w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>`,
)
const item = (list: number, depth: number) =>
  `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`

describe('docx', () => {
  it('knows headings by the name of a style, by what it is based on, and by outline levels', async () => {
    const { elements } = await read(
      p(text('One'), '<w:pStyle w:val="H1"/>') +
        p(text('Zwei'), '<w:pStyle w:val="Own"/>') +
        p(text('Trois'), '<w:pStyle w:val="Out"/>') +
        p(text('Four'), '<w:outlineLvl w:val="3"/>') +
        p(text('Text'), '<w:pStyle w:val="H1"/><w:outlineLvl w:val="9"/>'),
      { 'styles.xml': styles },
    )
    expect(elements.map(({ type, level: own, text: said }) => [type, own, said])).toEqual([
      ['Title', 2, 'One'],
      ['Title', 2, 'Zwei'],
      ['Title', 4, 'Trois'],
      ['Title', 5, 'Four'],
      ['NarrativeText', undefined, 'Text'],
    ])
  })

  it('knows the title of an old file, which LibreOffice makes a bare heading, and not what is based on it', async () => {
    const own = part(
      'w:styles',
      `<w:style w:styleId="Heading"><w:name w:val="Heading"/></w:style>
       <w:style w:styleId="Sub"><w:name w:val="Subtitle"/><w:basedOn w:val="Heading"/></w:style>`,
    )
    const { elements } = await read(
      p(text('Plan'), '<w:pStyle w:val="Heading"/>') + p(text('of 2026'), '<w:pStyle w:val="Sub"/>'),
      { 'styles.xml': own },
    )
    expect(elements.map(({ type, level: depth }) => [type, depth])).toEqual([
      ['Title', 1],
      ['NarrativeText', undefined],
    ])
  })

  it('counts lists', async () => {
    const { markdown } = await read(
      p(text('a'), item(1, 0)) +
        p(text('b'), item(1, 1)) +
        p(text('c'), item(1, 1)) +
        p(text('between')) +
        p(text('d'), item(2, 0)) +
        p(text('e'), item(2, 1)) +
        p(text('f'), item(2, 0)) +
        p(text('g'), item(3, 0)),
      { 'numbering.xml': numbering },
    )
    expect(markdown).toBe('- a\n    - a) b\n    - b) c\n\nbetween\n\n1. d\n    - 1.1 e\n2. f\n5. g')
  })

  it('numbers headings as they are shown', async () => {
    const body = p(text('Costs'), `<w:pStyle w:val="H1"/>${item(2, 0)}`)
    expect((await read(body, { 'styles.xml': styles, 'numbering.xml': numbering })).elements[0]?.text).toBe(
      '1 Costs',
    )
  })

  it('reads how text looks, links, tabs and fields', async () => {
    const { markdown } = await read(
      p(`${text('bold ', '<w:b/>')}${text('not', '<w:b w:val="0"/>')}<w:hyperlink r:id="x">${text('there')}</w:hyperlink>
         ${text('gone', '<w:vanish/>')}<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText><w:t>PAGE</w:t></w:r>
         <w:r><w:fldChar w:fldCharType="separate"/></w:r>${text(' 7')}<w:r><w:fldChar w:fldCharType="end"/></w:r>${text(' end')}`),
      {},
      { x: 'https://a.example/' },
    )
    expect(markdown).toBe('[Hidden text] gone\n\n**bold** not[there](https://a.example/) 7 end')
  })

  it('marks text that is not shown, and says how much there is', async () => {
    const { elements, warnings } = await read(
      p(`${text('seen ')}${text('gone', '<w:vanish/>')}`) + p(text('tiny', '<w:sz w:val="2"/>')),
    )
    expect(elements.map(({ text, extra }) => [text, extra?.hidden_text])).toEqual([
      ['[Hidden text] gone', true],
      ['seen', undefined],
      ['[Hidden text] tiny', true],
    ])
    expect(warnings).toContainEqual({ code: 'hidden_text', values: { count: 2 } })
  })

  it('reads old form fields', async () => {
    const field = (data: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:instrText>X</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
    const { text: said } = await read(
      p(
        [
          ...[text('a '), field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')],
          ...[text(' b '), field('<w:checkBox><w:default w:val="0"/></w:checkBox>'), text(' c ')],
          field('<w:ddList><w:result w:val="1"/><w:listEntry w:val="x"/><w:listEntry w:val="y"/></w:ddList>'),
        ].join(''),
      ),
    )
    expect(said).toBe('a ☒ b ☐ c y')
  })

  it('takes tracked changes as accepted', async () => {
    const { text: said } = await read(
      p(
        `${text('a')}<w:ins>${text('b')}</w:ins><w:del><w:r><w:delText>c</w:delText><w:t>c</w:t></w:r></w:del><w:moveFrom>${text('d')}</w:moveFrom><w:moveTo>${text('e')}</w:moveTo>`,
      ),
    )
    expect(said).toBe('abe')
  })

  it('reads tables with merged cells and lists in them', async () => {
    const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
    const { elements } = await read(
      `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell(p(text('A')), '<w:gridSpan w:val="2"/>')}</w:tr>
        <w:tr>${cell(p(text('b')), '<w:vMerge w:val="restart"/>')}${cell(p(text('c'), item(2, 0)) + p(text('d'), item(2, 0)))}</w:tr>
        <w:tr>${cell(p(''), '<w:vMerge/>')}${cell(p(text('e')))}</w:tr></w:tbl>`,
      { 'numbering.xml': numbering },
    )
    expect(elements[0]?.cells).toEqual([
      { row: 0, column: 0, text: 'A', columnSpan: 2, isHeader: true },
      { row: 1, column: 0, text: 'b', rowSpan: 2 },
      { row: 1, column: 1, text: '1. c\n2. d' },
      { row: 2, column: 1, text: 'e' },
    ])
  })

  it('reads boxes of text once, notes at the end, and what stands at the edges of pages apart', async () => {
    const box = `<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>${p(text('In a box'))}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${p(text('In a box'))}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>`
    const { elements, markdown } = await read(
      p(`${text('See')}<w:r><w:footnoteReference w:id="7"/></w:r>${box}`),
      {
        'footnotes.xml': part('w:footnotes', `<w:footnote w:id="7">${p(text('the note'))}</w:footnote>`),
        'header1.xml': part('w:hdr', p(text('Secret'))),
        'footer1.xml': part('w:ftr', p(text('Page'))),
      },
    )
    expect(markdown).toBe('See\\[1\\]\n\nIn a box\n\n\\[1\\] the note')
    expect(elements.map(({ type }) => type)).toEqual([
      'Header',
      'NarrativeText',
      'NarrativeText',
      'NarrativeText',
      'Footer',
    ])
  })

  it('writes formulas as TeX', async () => {
    const r = (sign: string) => `<m:r><m:t>${sign}</m:t></m:r>`
    const { elements } = await read(
      p(
        `<m:oMathPara><m:oMath>${r('x=')}<m:f><m:num>${r('π')}</m:num><m:den><m:rad><m:deg/><m:e><m:sSup><m:e>${r('a')}</m:e><m:sup>${r('2')}</m:sup></m:sSup></m:e></m:rad></m:den></m:f></m:oMath></m:oMathPara>`,
      ),
    )
    expect(elements).toEqual([
      expect.objectContaining({ type: 'Formula', text: 'x=\\frac{\\pi}{\\sqrt{a^{2}}}' }),
    ])
  })

  it('reads code and boxes that are ticked', async () => {
    const { markdown } = await read(
      p(text('let a = 1'), '<w:pStyle w:val="Code"/>') +
        p(text('let b'), '<w:pStyle w:val="Code"/>') +
        p(text('☒ Done')) +
        p(text('☐ Open')),
      { 'styles.xml': styles },
    )
    expect(markdown).toBe('```\nlet a = 1\nlet b\n```\n\n- [x] Done\n- [ ] Open')
  })

  it('knows the page where Word wrote it', async () => {
    const { elements } = await read(p(text('a')) + p(`<w:r><w:lastRenderedPageBreak/></w:r>${text('b')}`))
    expect(elements.map(({ place }) => place?.page)).toEqual([1, 2])
  })

  it.each([
    ['encrypted', oleOf(['EncryptedPackage'])],
    ['damaged', docxOf(p(text('a'))).subarray(0, 400)],
    ['damaged', zipOf({ 'word/document.xml': '<w:document><w:body>' })],
    ['damaged', docxOf('', { 'styles.xml': '<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>' })],
    ['too_large_inside', docxOf(p(text('x'.repeat(90_000_000))))],
  ])('ends in a reason: %s', async (code, bytes) => {
    await expect(parseBytes('a.docx', bytes)).rejects.toMatchObject({ code })
  })

  it('reads tables and long texts of headers as text of the document', async () => {
    const cell = (said: string) => `<w:tc>${p(text(said))}</w:tc>`
    const { elements, markdown } = await read(p(text('Body')), {
      'header1.xml': part('w:hdr', `<w:tbl><w:tr>${cell('IBAN')}${cell('DE12')}</w:tr></w:tbl>`),
      'footer1.xml': part('w:ftr', p(text(`Company ${'registered in Dijon '.repeat(8)}`))),
      'footer2.xml': part('w:ftr', p(text('Page 1'))),
    })
    expect(elements.map(({ type }) => type)).toEqual(['Table', 'NarrativeText', 'NarrativeText', 'Footer'])
    expect(elements[0]).toMatchObject({ text: 'IBAN\tDE12', extra: { margin: 'header' } })
    expect(markdown).toContain('| IBAN | DE12 |')
  })

  it('reads comments with their authors, and readings of words in brackets', async () => {
    const { elements } = await read(
      p(
        `<w:commentRangeStart w:id="0"/>${text('Rent')}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`,
      ) +
        p(
          `<w:r><w:ruby><w:rt>${text('かんじ')}</w:rt><w:rubyBase>${text('漢字')}</w:rubyBase></w:ruby></w:r>`,
        ),
      {
        'comments.xml': part(
          'w:comments',
          `<w:comment w:id="0" w:author="Ann">${p(text('Too high?'))}</w:comment>`,
        ),
      },
    )
    expect(elements.map((one) => one.text)).toEqual(['Rent', '漢字（かんじ）', 'Ann: Too high?'])
    expect(elements[2]?.extra).toEqual({ comment: true, author: 'Ann' })
  })

  it('ends in a reason when a part is larger than it said', async () => {
    const bytes = zipOf([
      {
        name: '_rels/.rels',
        content:
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
      },
      {
        name: 'word/document.xml',
        content: part('w:document', `<w:body>${p(text('x'.repeat(5_000_000)))}</w:body>`),
        declaredSize: 900,
      },
    ])
    await expect(parseBytes('a.docx', bytes)).rejects.toMatchObject({ code: 'too_large_inside' })
  })
})
