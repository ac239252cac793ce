import { Mp3Encoder } from '@breezystack/lamejs'
import { createCanvas } from '@napi-rs/canvas'
import { drawnFont } from './drawn-text.ts'
import { docxOf, pptxOf, xlsxOf } from './office.ts'
import { oleOf } from './ole.ts'
import { buildPdf, write } from './pdf.ts'
import { aRecording } from './recordings.ts'
import { zipOf } from './zip.ts'

type Bytes = string | Uint8Array

/** Creates a file of each kind with these words. Older office formats, which only LibreOffice reads, get a header only. */
export function filesThatSay(
  words: string,
): Record<'read' | 'heard' | 'silent' | 'older', Record<string, Bytes>> {
  return {
    read: { ...textsOf(words), ...officeOf(words), ...picturesOf(words) },
    heard: { 'a.wav': aWave(), 'a.mp3': anMp3(), 'a.ogg': aRecording('ogg'), 'a.webm': aRecording('webm') },
    silent: { 'a.mp4': aRecording('mp4') },
    older: {
      'a.doc': oleOf(['WordDocument']),
      'a.xls': oleOf(['Workbook']),
      'a.ppt': oleOf(['PowerPoint Document']),
    },
  }
}

const textsOf = (words: string) => ({
  'a.pdf': buildPdf([{ content: [write(72, 700, words)] }]),
  'a.html': `<!doctype html><p>${words}</p>`,
  'a.htm': `<!doctype html><div><p>${words}</p></div>`,
  'a.md': `# Offer\n\n${words}`,
  'a.markdown': `- ${words}`,
  'a.txt': words,
})

function officeOf(words: string) {
  const line = `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`
  const odf = (kind: string, body: string) => {
    const urn = 'urn:oasis:names:tc:opendocument:xmlns'
    const spaces = `xmlns:office="${urn}:office:1.0" xmlns:text="${urn}:text:1.0" xmlns:table="${urn}:table:1.0" xmlns:draw="${urn}:drawing:1.0"`
    return zipOf({
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'content.xml': `<office:document-content ${spaces}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    })
  }
  const said = `<text:p>${words}</text:p>`
  const cell = `<table:table-cell office:value-type="string">${said}</table:table-cell>`
  return {
    'a.docx': docxOf(`<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`),
    'a.pptx': pptxOf([{ shapes: `<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>${line}</p:txBody></p:sp>` }]),
    'a.xlsx': xlsxOf([
      {
        name: 'Prices',
        content: `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${words}</t></is></c></row></sheetData>`,
      },
    ]),
    'a.odt': odf('text', said),
    'a.ods': odf(
      'spreadsheet',
      `<table:table table:name="Prices"><table:table-row>${cell}</table:table-row></table:table>`,
    ),
    'a.odp': odf(
      'presentation',
      `<draw:page><draw:frame><draw:text-box>${said}</draw:text-box></draw:frame></draw:page>`,
    ),
    'a.rtf': `{\\rtf1\\ansi ${words}\\par}`,
  }
}

function picturesOf(words: string) {
  const canvas = createCanvas(900, 200)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, 900, 200)
  context.fillStyle = 'black'
  context.font = drawnFont(40)
  context.fillText(words, 40, 110)
  return {
    'a.png': canvas.toBuffer('image/png'),
    'a.jpg': canvas.toBuffer('image/jpeg'),
    'a.webp': canvas.toBuffer('image/webp'),
  }
}

const RATE = 16_000
const tone = Int16Array.from({ length: RATE }, (_, n) => 9_000 * Math.sin((2 * Math.PI * 440 * n) / RATE))

/** Creates a second of a tone. */
function aWave(): Uint8Array {
  const head = Buffer.alloc(44)
  head.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1')
  head.writeUInt32LE(36 + tone.byteLength, 4)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(tone.byteLength, 40)
  return Buffer.concat([head, Buffer.from(tone.buffer)])
}

function anMp3(): Uint8Array {
  const encoder = new Mp3Encoder(1, RATE, 32)
  return Buffer.concat([encoder.encodeBuffer(tone), encoder.flush()].map((part) => Buffer.from(part)))
}
