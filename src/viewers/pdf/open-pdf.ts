import {
  GlobalWorkerOptions,
  getDocument,
  PasswordResponses,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  PDFWorker,
} from 'pdfjs-dist'
import type { ByteSource } from '../viewer.ts'
import { painterUrl, startThreads } from './threads.ts'

GlobalWorkerOptions.rendererSrc = painterUrl

/** Path of the PDF resources, set by scripts/pdf-resources.ts. */
declare const __PDF_RESOURCES__: string
/** Base address of resources that the reader fetches on demand: image decoders, character maps, standard fonts. */
const resourcesAt = () => new URL(__PDF_RESOURCES__, location.href).href

type Handlers = {
  /** A part cannot be read. */
  onFailed: () => void
  /** The file needs a password, which `open` takes; `isWrong` after a wrong one. */
  onLocked: (locked: { isWrong: boolean; open: (password: string) => void }) => void
}

/** Opens a PDF without running scripts or loading external content. */
export async function openPdf(
  source: ByteSource,
  { onFailed, onLocked }: Handlers,
): Promise<PDFDocumentProxy> {
  const isWhole = source.start.length === source.length
  const resources = resourcesAt()
  const { reader, painter, failed } = startThreads()
  GlobalWorkerOptions.rendererPorts = [painter]
  const opening = getDocument({
    // The reader takes ownership of the buffer, so it gets a copy.
    ...(isWhole ? { data: source.start.slice() } : { range: new Parts(source, onFailed) }),
    worker: PDFWorker.create({ port: reader }),
    ...{ disableStream: true, disableAutoFetch: true },
    ...{ enableXfa: false, stopAtErrors: false },
    wasmUrl: `${resources}wasm/`,
    ...{ cMapUrl: `${resources}cmaps/`, cMapPacked: true },
    standardFontDataUrl: `${resources}standard_fonts/`,
  })
  opening.onPassword = (open: (password: string) => void, reason: number) =>
    onLocked({ open, isWrong: reason === PasswordResponses.INCORRECT_PASSWORD })
  return Promise.race([opening.promise, failed])
}

/** Reads the byte ranges that the worker requests. */
class Parts extends PDFDataRangeTransport {
  private readonly source: ByteSource
  private readonly onFailed: () => void
  private isOver = false

  constructor(source: ByteSource, onFailed: () => void) {
    super(source.length, source.start.slice())
    this.source = source
    this.onFailed = onFailed
  }

  override requestDataRange(from: number, to: number): void {
    this.source.read(from, to).then((bytes) => this.isOver || this.onDataRange(from, bytes), this.onFailed)
  }

  override abort(): void {
    this.isOver = true
  }
}
