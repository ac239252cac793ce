import { zipOf } from './zip.ts'

const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
].join(' ')

const relationType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Relations of a part: the type's last segment and the target, by id. A target with `:` is external. */
export function relations(list: Record<string, [type: string, target: string]>): string {
  const all = Object.entries(list).map(([id, [type, target]]) => {
    const mode = target.includes(':') ? ' TargetMode="External"' : ''
    return `<Relationship Id="${id}" Type="${relationType}/${type}" Target="${target}"${mode}/>`
  })
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`
}

/** Returns an element with all namespaces of office files. */
export const part = (name: string, content: string) =>
  `<?xml version="1.0"?><${name} ${namespaces}>${content}</${name}>`

/** Creates a Word document with this body; `parts` by their names below `word/`, each with its own type. */
export function docxOf(
  body: string,
  parts: Record<string, string> = {},
  links: Record<string, string> = {},
): Buffer {
  const own = Object.keys(parts).map((name) => [name, [name.replace(/\d*\.xml$/, ''), name]] as const)
  const outside = Object.entries(links).map(([id, target]) => [id, ['hyperlink', target]] as const)
  const types = 'application/vnd.openxmlformats'
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="${types}-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${types}-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': relations({ main: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': relations(Object.fromEntries([...own, ...outside]) as never),
    'word/document.xml': part('w:document', `<w:body>${body}</w:body>`),
    ...Object.fromEntries(Object.entries(parts).map(([name, content]) => [`word/${name}`, content])),
  })
}

const sheetNamespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

/**
 * Creates a workbook of sheets, each the content of its `worksheet`. `styles` is the content of its style sheet;
 * `properties` precedes its list of sheets.
 */
export function xlsxOf(
  sheets: { name: string; content: string; state?: string }[],
  {
    strings = [],
    styles = '',
    properties = '',
  }: { strings?: string[]; styles?: string; properties?: string } = {},
): Buffer {
  const list = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"${state ? ` state="${state}"` : ''}/>`,
  )
  const own = sheets.map((_, at) => [`s${at}`, ['worksheet', `sheet${at}.xml`]])
  return zipOf({
    '_rels/.rels': relations({ main: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(own),
      t: ['sharedStrings', 'strings.xml'],
      y: ['styles', 'styles.xml'],
    }),
    'xl/workbook.xml': `<workbook ${sheetNamespace} ${namespaces}>${properties}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/strings.xml': `<sst ${sheetNamespace}>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet ${sheetNamespace}>${styles}</styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ content }, at) => [
        `xl/sheet${at}.xml`,
        `<worksheet ${sheetNamespace}>${content}</worksheet>`,
      ]),
    ),
  })
}

/** Creates a presentation. Each slide is the content of its shape tree; `notes` are its speaker notes. */
export function pptxOf(slides: { shapes: string; notes?: string }[]): Buffer {
  const parts: Record<string, string> = {
    '_rels/.rels': relations({ main: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, at) => [`r${at}`, ['slide', `slides/slide${at}.xml`]])),
    ),
    'ppt/presentation.xml': part(
      'p:presentation',
      `<p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`).join('')}</p:sldIdLst><p:sldSz cx="1000000" cy="500000"/>`,
    ),
    'ppt/layout.xml': part('p:sldLayout', '<p:cSld><p:spTree/></p:cSld>'),
    'ppt/_rels/layout.xml.rels': relations({ m: ['slideMaster', 'master.xml'] }),
    'ppt/master.xml': part(
      'p:sldMaster',
      '<p:cSld><p:spTree/></p:cSld><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="-"/></a:lvl2pPr></p:bodyStyle></p:txStyles>',
    ),
  }
  slides.forEach(({ shapes, notes }, at) => {
    parts[`ppt/slides/slide${at}.xml`] = part('p:sld', `<p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>`)
    parts[`ppt/slides/_rels/slide${at}.xml.rels`] = relations({
      l: ['slideLayout', '../layout.xml'],
      ...(notes && { n: ['notesSlide', `../notes${at}.xml`] }),
    })
    if (notes)
      parts[`ppt/notes${at}.xml`] = part(
        'p:notes',
        `<p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${notes}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld>`,
      )
  })
  return zipOf(parts)
}
