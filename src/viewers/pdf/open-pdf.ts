import {
  GlobalWorkerOptions,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  PDFWorker,
} from 'pdfjs-dist'
import type { ByteSource } from '../viewer.ts'
import { painterUrl, startThreads } from './threads.ts'

GlobalWorkerOptions.rendererSrc = painterUrl

/** Put beside the build by scripts/pdf-resources.ts. */
declare const __PDF_RESOURCES__: string
/** What the reader fetches when a file needs it: decoders of scans, tables of characters, common fonts. */
const resourcesAt = () => new URL(__PDF_RESOURCES__, location.href).href

/** Opens a PDF; nothing in it runs, and it loads nothing. `onFailed` is told when a part of it does not come. */
export async function openPdf(source: ByteSource, onFailed: () => void): Promise<PDFDocumentProxy> {
  const isWhole = source.start.length === source.length
  const resources = resourcesAt()
  const { reader, painter, failed } = startThreads()
  GlobalWorkerOptions.rendererPorts = [painter]
  const opening = getDocument({
    // What is handed over is gone here.
    ...(isWhole ? { data: source.start.slice() } : { range: new Parts(source, onFailed) }),
    worker: PDFWorker.create({ port: reader }),
    ...{ disableStream: true, disableAutoFetch: true },
    ...{ enableXfa: false, stopAtErrors: false },
    wasmUrl: `${resources}wasm/`,
    ...{ cMapUrl: `${resources}cmaps/`, cMapPacked: true },
    standardFontDataUrl: `${resources}standard_fonts/`,
  })
  return Promise.race([opening.promise, failed])
}

/** Reads what the worker asks for. */
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
