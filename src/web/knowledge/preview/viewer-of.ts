import type { Document } from '#shared/knowledge/documents/documents.ts'

/** Viewers of the document's bytes, and viewers of files generated from it. */
export type BytesKind = 'image' | 'html'
export type ContentKind = BytesKind | 'pdf' | 'media'
export type MadeKind = 'sheet' | 'mail' | 'slides' | 'archive'
export type ViewerKind = ContentKind | MadeKind | 'transcript' | 'markdown' | 'fallback'

const kinds: Record<Exclude<ViewerKind, 'fallback' | 'sheet' | 'mail' | 'transcript'>, readonly string[]> = {
  pdf: ['pdf'],
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp'],
  media: ['mp4', 'webm', 'ogg', 'mp3', 'wav', 'm4a', 'flac', 'aac', 'mov', 'mkv'],
  html: ['html', 'htm'],
  markdown: ['md', 'markdown', 'txt', 'text'],
  slides: ['pptx', 'ppt', 'odp'],
  archive: ['zip'],
}

/** Returns the viewer of a document: by its generated files, otherwise by its kind. */
export function viewerOf(document: Document): ViewerKind {
  const { files } = document.doc_metadata
  if (files.includes('sheets.json')) return 'sheet'
  if (files.includes('mail.json')) return 'mail'
  const kind = pagesOf(document)
  // A text that lasts has the times of what is said.
  return kind === 'markdown' && document.duration !== null ? 'transcript' : kind
}

/** Does the same without the grid of a sheet: its generated pages. */
export function pagesOf({ normalized_extension, doc_metadata }: Document): ViewerKind {
  const view = doc_metadata.files.find((name) => name.startsWith('view.'))
  const kind = view?.slice('view.'.length) ?? normalized_extension
  const found = Object.entries(kinds).find(([, extensions]) => extensions.includes(kind.toLowerCase()))
  return (found?.[0] as ViewerKind | undefined) ?? 'fallback'
}

export function isMade(kind: ViewerKind): kind is MadeKind {
  return kind === 'sheet' || kind === 'mail' || kind === 'slides' || kind === 'archive'
}

export function isContent(kind: ViewerKind): kind is ContentKind {
  return kind === 'pdf' || kind === 'image' || kind === 'media' || kind === 'html'
}
