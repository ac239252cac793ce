/**
 * PDF files for tests, written by hand: pages of drawing instructions, with four fonts that every reader has (`regular`,
 * `bold`, `mono`) or a font for any script (`any`, without glyphs: for reading, not for display).
 */
export type PdfPage = {
  width?: number
  height?: number
  rotate?: 0 | 90 | 180 | 270
  /** Left, bottom, right, top, in points from the lower left corner of the whole page. */
  cropBox?: [number, number, number, number]
  /** Drawing instructions from `write` and `line`. */
  content: string[]
  /** Annotations and form fields, each as the entries of its dictionary. */
  annotations?: string[]
  /** Pictures drawn by the content with `/Name Do`. */
  pictures?: Record<
    string,
    { width: number; height: number } & ({ rgb: Uint8Array } | { jpeg2000: Uint8Array })
  >
}

export type FontName = 'regular' | 'bold' | 'mono' | 'any'
const fonts: FontName[] = ['regular', 'bold', 'mono', 'any']

/** Draws text at a point, measured from the lower left corner of the page, rotated counterclockwise by an angle in degrees. */
export function write(
  x: number,
  y: number,
  text: string,
  { size = 10, font = 'regular', angle = 0 }: { size?: number; font?: FontName; angle?: number } = {},
): string {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
  const matrix = [cos, sin, -sin, cos, x, y].map((value) => value.toFixed(4)).join(' ')
  return `BT /F${fonts.indexOf(font)} ${size} Tf ${matrix} Tm ${font === 'any' ? hex(text) : literal(text)} Tj ET`
}

/** Draws a thin line. */
export function line(x1: number, y1: number, x2: number, y2: number): string {
  return `0.5 w ${x1} ${y1} m ${x2} ${y2} l S`
}

/** Creates a file of these pages, with an outline if it has titles. */
export function buildPdf(pages: PdfPage[], outline: { title: string; page: number }[] = []): Uint8Array {
  const file = new Objects()
  const fontObjects = [
    file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>'),
    file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>'),
    addFontOfAnyScript(file),
  ]
  const fontList = fontObjects.map((id, at) => `/F${at} ${id} 0 R`).join(' ')
  const tree = file.reserve()
  const kids = pages.map((page) => addPage(file, page, tree, fontList))
  file.set(
    tree,
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] >>`,
  )
  const outlines = outline.length > 0 ? `/Outlines ${addOutline(file, outline, kids)} 0 R` : ''
  return file.bytes(file.add(`<< /Type /Catalog /Pages ${tree} 0 R ${outlines} >>`))
}

function addPage(file: Objects, page: PdfPage, tree: number, fontList: string): number {
  const { rotate = 0, cropBox, content, pictures = {}, annotations = [] } = page
  const notes = annotations.map((entries) => `${file.add(`<< /Type /Annot ${entries} >>`)} 0 R`)
  const stream = file.addStream('', Buffer.from(content.join('\n'), 'latin1'))
  const images = Object.entries(pictures).map(([name, { width, height, ...picture }]) => {
    const kind = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height}`
    const stream =
      'rgb' in picture
        ? file.addStream(`${kind} /ColorSpace /DeviceRGB /BitsPerComponent 8`, picture.rgb)
        : file.addStream(`${kind} /Filter /JPXDecode`, picture.jpeg2000)
    return `/${name} ${stream} 0 R`
  })
  return file.add(
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${page.width ?? 595} ${page.height ?? 842}] /Rotate ${rotate} ${
      cropBox ? `/CropBox [${cropBox.join(' ')}]` : ''
    } ${notes.length > 0 ? `/Annots [${notes.join(' ')}]` : ''} /Contents ${stream} 0 R /Resources << /Font << ${fontList} >> /XObject << ${images.join(' ')} >> >> >>`,
  )
}

function addOutline(file: Objects, titles: { title: string; page: number }[], pages: number[]): number {
  const root = file.reserve()
  const ids = titles.map(() => file.reserve())
  titles.forEach(({ title, page }, at) => {
    const next = at + 1 < ids.length ? `/Next ${ids[at + 1]} 0 R` : ''
    const before = at > 0 ? `/Prev ${ids[at - 1]} 0 R` : ''
    const to = `/Dest [${pages[page - 1]} 0 R /Fit]`
    file.set(ids[at] ?? 0, `<< /Title ${literal(title)} /Parent ${root} 0 R ${before} ${next} ${to} >>`)
  })
  file.set(root, `<< /Type /Outlines /Count ${ids.length} /First ${ids[0]} 0 R /Last ${ids.at(-1)} 0 R >>`)
  return root
}

/** In the font `any`: one glyph for the two letters lam and alef, as in many fonts. */
export const LAM_ALEF = '\ue000'

/** Its codes are UTF-16 units, each half as wide as the font size. */
function addFontOfAnyScript(file: Objects): number {
  const system = '<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>'
  const descriptor = file.add(
    '<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  )
  const child = file.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /CIDSystemInfo ${system} /FontDescriptor ${descriptor} 0 R /DW 500 >>`,
  )
  const map = file.addStream(
    '',
    Buffer.from(
      'begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0000> endbfrange 1 beginbfchar <E000> <06440627> endbfchar endcmap',
    ),
  )
  return file.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [${child} 0 R] /ToUnicode ${map} 0 R >>`,
  )
}

const literal = (text: string) => `(${text.replace(/[\\()]/g, '\\$&')})`
const hex = (text: string) =>
  `<${[...Array(text.length).keys()].map((at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}>`

/** Numbered objects, and the table of their offsets. */
class Objects {
  private readonly bodies: Buffer[] = []

  reserve(): number {
    return this.bodies.push(Buffer.alloc(0))
  }

  set(id: number, body: string): void {
    this.bodies[id - 1] = Buffer.from(body, 'latin1')
  }

  add(body: string): number {
    return this.bodies.push(Buffer.from(body, 'latin1'))
  }

  addStream(entries: string, data: Uint8Array): number {
    const head = Buffer.from(`<< ${entries} /Length ${data.length} >>\nstream\n`, 'latin1')
    return this.bodies.push(Buffer.concat([head, data, Buffer.from('\nendstream')]))
  }

  bytes(root: number): Uint8Array {
    const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
    let length = parts[0]?.length ?? 0
    const offsets = this.bodies.map((body, at) => {
      const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
      parts.push(part)
      length += part.length
      return length - part.length
    })
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
    const count = this.bodies.length + 1
    parts.push(
      Buffer.from(
        `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count} /Root ${root} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
      ),
    )
    return Buffer.concat(parts)
  }
}
