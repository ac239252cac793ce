import * as z from 'zod/mini'
import { Id } from '../../platform/primitives.ts'

/** A page of a document. A model that sees gets its picture, as long as the person may read the document. */
export const ViewedPage = z.object({
  type: z.literal('page_reference'),
  document_id: Id,
  document_name: z.string(),
  /** From 1. */
  page: z.int(),
  /** Null when it is not known. */
  pages: z.nullable(z.int()),
})
export type ViewedPage = z.infer<typeof ViewedPage>

/** Shows pages of the documents that the chat answers from. */
export type PagePort = {
  /** Draws a page of a document, given by name or id. @throws AppError `not_found`, `invalid` */
  view: (document: string, page: number) => Promise<ViewedPage>
}
