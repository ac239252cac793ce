import type { DocumentPart } from '#shared/knowledge/documents/documents.ts'
import type { Box } from '#shared/platform/place.ts'

/** Kinds with their own colour; others use the colour of uncategorised text. */
const KINDS = [
  ...(['title', 'narrativetext', 'listitem', 'table', 'header', 'footer', 'paragraph'] as const),
  ...(['figure', 'formula', 'codesnippet', 'uncategorizedtext'] as const),
]
export type ElementKind = (typeof KINDS)[number]

export type ElementBox = { id: string; kind: ElementKind; text: string; box: Box }

/** Returns the boxes of a page's elements. */
export function boxesOf({ number, elements }: DocumentPart): ElementBox[] {
  return elements.flatMap(({ element_id, type, text, metadata }) =>
    metadata.all_bboxes.flatMap(({ page, box }, at) =>
      page === number ? { id: `${element_id}:${at}`, kind: kindOf(type), text, box } : [],
    ),
  )
}

function kindOf(type: string): ElementKind {
  return KINDS.find((kind) => kind === type.toLowerCase()) ?? 'uncategorizedtext'
}
