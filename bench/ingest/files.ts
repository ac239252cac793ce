import { docxOf } from '../../tests/support/office.ts'
import { buildPdf, write } from '../../tests/support/pdf.ts'
import { zipOf } from '../../tests/support/zip.ts'

type File = { name: string; bytes: Uint8Array }

const words =
  'the offer names prices of lots that were revised after a survey in spring and holds until autumn'.split(
    ' ',
  )

/** Returns a text of `count` words, different for each number. */
function textOf(n: number, count: number): string {
  return Array.from({ length: count }, (_, at) => words[(n * 7 + at * (1 + (n % 5))) % words.length]).join(
    ' ',
  )
}

/** Returns pages of forty lines with a title each; the last one names a flower. */
export function longPdf(pages: number): Uint8Array {
  return buildPdf(
    Array.from({ length: pages }, (_, page) => ({
      content: [
        write(60, 780, `Chapter ${page + 1}`, { size: 18, font: 'bold' }),
        ...Array.from({ length: 40 }, (_, line) =>
          write(60, 750 - line * 16, `${page}.${line} ${textOf(page * 40 + line, 12)}`),
        ),
        ...(page === pages - 1 ? [write(60, 60, 'The heliotrope of the last page blooms in June.')] : []),
      ],
    })),
  )
}

/** Returns files with one page of text, alternating between text, Markdown, web page, table, Word and PDF. */
export function smallFiles(count: number): File[] {
  return Array.from({ length: count }, (_, n) => {
    const text = `Note ${n}. ${textOf(n, 120)}`
    const made: Record<string, () => Uint8Array> = {
      txt: () => Buffer.from(text),
      md: () => Buffer.from(`# Note ${n}\n\n${text}`),
      html: () => Buffer.from(`<html><body><h1>Note ${n}</h1><p>${text}</p></body></html>`),
      csv: () =>
        Buffer.from(
          `lot,price\n${Array.from({ length: 20 }, (_, row) => `${n}.${row},${row * 3}`).join('\n')}\n`,
        ),
      docx: () => docxOf(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`),
      pdf: () => buildPdf([{ content: [write(60, 700, `Note ${n}`), write(60, 680, textOf(n, 12))] }]),
    }
    const [extension, make] = Object.entries(made)[n % Object.keys(made).length] ?? ['txt', made.txt!]
    return { name: `note-${n}.${extension}`, bytes: make() }
  })
}

/** Returns files with the wrong type, truncated files and empty files. */
export function brokenFiles(count: number): File[] {
  const whole = [
    { name: 'cut.docx', bytes: docxOf('<w:p><w:r><w:t>Cut</w:t></w:r></w:p>') },
    { name: 'cut.zip', bytes: zipOf({ 'a.txt': 'Cut.' }) },
    { name: 'noise.bin', bytes: Buffer.from([0, 1, 2, 0, 255, 254, 0, 3, 7, 9]) },
  ]
  return Array.from({ length: count }, (_, n) => {
    const { name, bytes } = whole[n % whole.length]!
    const cut = Buffer.from(bytes.subarray(0, name.startsWith('cut') ? bytes.length / 2 : bytes.length))
    return { name: `${n}-${name}`, bytes: Buffer.concat([cut, Buffer.from([n % 256, 0, n >> 8])]) }
  })
}
