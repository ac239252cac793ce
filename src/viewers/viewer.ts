import type { MouseEvent } from 'react'
import type { Chunk, Document, DocumentPart } from '#shared/knowledge/documents/documents.ts'

/** A file of which each part is read when it is needed. */
export type ByteSource = {
  length: number
  /** How it begins; all of it when it is short. */
  start: Uint8Array
  /** The bytes from a place to before another. @throws when they do not come. */
  read: (from: number, to: number) => Promise<Uint8Array>
}

/** What a viewer shows: the bytes of a document, also by an address, and what was read on its pages. */
export type ViewerProps = {
  document: Document
  blob: Blob
  url: string
  /** The passage that was asked for: it is marked and scrolled to; null without one. */
  chunk: Chunk | null
  parts: readonly DocumentPart[]
  /** Pages that are on screen now: what was read there is wanted. */
  onPages: (from: number, to: number) => void
}

/** A PDF: what is looked at is read, not all of it. */
export type PdfProps = Omit<ViewerProps, 'blob' | 'url'> & { source: ByteSource }

/** What is played: from an address that answers ranges, so that it begins before it has come whole. */
export type PlayedProps = Pick<ViewerProps, 'document' | 'url' | 'chunk' | 'parts'> & {
  mediaType: string
  /** Asks for an address anew. */
  onRetry: () => void
}

/** What a viewer shows that reads the files made for it (`files`) and not the document's own bytes. */
export type MadeViewProps = Pick<ViewerProps, 'document' | 'chunk'> & {
  /** What a link to another document has, wherever this one is shown. */
  linkTo: (documentId: string) => { href: string; onClick: (event: MouseEvent) => void }
}
