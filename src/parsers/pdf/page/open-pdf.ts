import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { Unreadable } from '../../elements/port.ts'

/** Files larger than this are read in ranges, on demand. */
const READ_IN_PARTS_BYTES = 1024 * 1024
/** Pictures with more pixels are not decoded. Twice an A3 scan at 600 dpi fits; a decompression bomb does not. */
const MAX_PICTURE_PIXELS = 150_000_000

/** Opens a PDF file without network access. @throws Unreadable */
export async function openPdf(path: string): Promise<PDFDocumentProxy> {
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const folder = (name: string) => join(home, name) + sep
  try {
    return await getDocument({
      url: pathToFileURL(path).href,
      rangeChunkSize: READ_IN_PARTS_BYTES / 2,
      fontExtraProperties: true,
      disableAutoFetch: true,
      disableStream: true,
      cMapUrl: folder('cmaps'),
      standardFontDataUrl: folder('standard_fonts'),
      wasmUrl: folder('wasm'),
      iccUrl: folder('iccs'),
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: MAX_PICTURE_PIXELS,
      verbosity: VerbosityLevel.ERRORS,
    }).promise
  } catch (error) {
    throw asUnreadable(error)
  }
}

/** Converts an error of pdf.js. */
function asUnreadable(error: unknown): Unreadable {
  const isLocked = error instanceof Error && error.name === 'PasswordException'
  return new Unreadable(isLocked ? 'encrypted' : 'damaged', {}, { cause: error })
}
