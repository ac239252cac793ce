import type { MouseEvent } from 'react'
import type { Chunk, Document, DocumentPart } from '#shared/knowledge/documents/documents.ts'

/** A file that is read in parts on demand. */
export type ByteSource = {
  length: number
  /** First bytes; the whole file when it is short. */
  start: Uint8Array
  /** Reads the bytes from `from` up to `to`, exclusive. @throws when they cannot be read. */
  read: (from: number, to: number) => Promise<Uint8Array>
}

/** Input of a viewer: the document's bytes, also by address, and its parts. */
export type ViewerProps = {
  document: Document
  blob: Blob
  url: string
  /** Passage to mark and scroll to; null for none. */
  chunk: Chunk | null
  parts: readonly DocumentPart[]
  /** Receives the visible pages, whose parts are needed. */
  onPages: (from: number, to: number) => void
}

/** Input of the PDF viewer, which reads only visible parts of the file. */
export type PdfProps = Omit<ViewerProps, 'blob' | 'url'> & { source: ByteSource }

/** Input of the media player. Its address supports range requests, so that playback starts before the download ends. */
export type PlayedProps = Pick<ViewerProps, 'document' | 'url' | 'chunk' | 'parts'> & {
  mediaType: string
  /** Requests a new address. */
  onRetry: () => void
}

/** Input of a viewer that reads files made for it (`files`) instead of the document's bytes. */
export type MadeViewProps = Pick<ViewerProps, 'document' | 'chunk'> & {
  /** Returns link properties for another document. */
  linkTo: (documentId: string) => { href: string; onClick: (event: MouseEvent) => void }
}
