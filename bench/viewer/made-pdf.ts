import { fileURLToPath } from 'node:url'
import { createCanvas } from '@napi-rs/canvas'
import PDFDocument from 'pdfkit'

const [LEFT, WIDTH] = [56, 483]
const fonts = { plain: 'DejaVuSerif.ttf', bold: 'DejaVuSans-Bold.ttf' }
const fontFile = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}`))

/** Occurs once on every tenth page. */
export const SOUGHT = 'kingfisher'

/** Creates a report with embedded fonts: prose on every page, a table on every third, a picture on every fourth. */
export async function madePdf(pages: number): Promise<Uint8Array> {
  const pdf = new PDFDocument({ size: 'A4', margin: LEFT, bufferPages: false, autoFirstPage: false })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve) => pdf.once('end', () => resolve()))
  for (const [name, file] of Object.entries(fonts)) pdf.registerFont(name, fontFile(file))
  for (let page = 0; page < pages; page += 1) addPage(pdf, page)
  pdf.end()
  await ended
  return Buffer.concat(parts)
}

function addPage(pdf: PDFKit.PDFDocument, page: number): void {
  pdf.addPage()
  pdf
    .font('bold')
    .fontSize(15)
    .text(`${page + 1}. Findings of the survey`, LEFT, 56)
  pdf.font('plain').fontSize(9.5)
  const [hasTable, hasPicture] = [page % 3 === 1, page % 4 === 2]
  let y = 86
  const prose = (lines: number) => {
    for (let line = 0; line < lines; line += 1, y += 15)
      pdf.text(proseOf(page * 60 + line), LEFT, y, { lineBreak: false })
    y += 8
  }
  prose(10)
  if (page % 10 === 9) {
    pdf.text(`A ${SOUGHT} was seen at lot ${page}.`, LEFT, y, { lineBreak: false })
    y += 20
  }
  if (hasTable) y = addTable(pdf, page, y)
  if (hasPicture) {
    pdf.image(pictureOf(page), LEFT, y, { width: WIDTH, height: 190 })
    y += 200
  }
  prose(Math.floor((780 - y) / 15))
}

function addTable(pdf: PDFKit.PDFDocument, page: number, top: number): number {
  const [rows, columns, height] = [14, 6, 16]
  const width = WIDTH / columns
  pdf.lineWidth(0.5)
  for (let row = 0; row <= rows; row += 1)
    pdf
      .moveTo(LEFT, top + row * height)
      .lineTo(LEFT + WIDTH, top + row * height)
      .stroke()
  for (let column = 0; column <= columns; column += 1)
    pdf
      .moveTo(LEFT + column * width, top)
      .lineTo(LEFT + column * width, top + rows * height)
      .stroke()
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const text = row === 0 ? `Lot ${column}` : `${(page * 31 + row * 17 + column * 7) % 9973}.${row % 10}0`
      pdf.text(text, LEFT + column * width + 4, top + row * height + 3, { lineBreak: false })
    }
  return top + rows * height + 12
}

/** Draws a chart on a shaded background, as in reports. */
function pictureOf(page: number): Buffer {
  const canvas = createCanvas(720, 280)
  const context = canvas.getContext('2d')
  const ground = context.createLinearGradient(0, 0, 720, 280)
  ground.addColorStop(0, '#eef3f8')
  ground.addColorStop(1, '#c9d8e6')
  context.fillStyle = ground
  context.fillRect(0, 0, 720, 280)
  for (let bar = 0; bar < 24; bar += 1) {
    context.fillStyle = `hsl(${(bar * 15 + page * 7) % 360} 50% 50%)`
    const height = 40 + ((bar * 37 + page * 13) % 200)
    context.fillRect(20 + bar * 28, 270 - height, 20, height)
  }
  return canvas.toBuffer('image/jpeg', 80)
}

const words =
  'the offer names prices of lots that were revised after a survey in spring and holds until autumn while the index of labour rises slowly'.split(
    ' ',
  )

function proseOf(line: number): string {
  return Array.from({ length: 15 }, (_, at) => words[(line * 7 + at * (1 + (line % 5))) % words.length]).join(
    ' ',
  )
}
