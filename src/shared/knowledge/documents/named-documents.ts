import * as z from 'zod/mini'

/** A number of documents, with the names of the first ones. */
export const NamedDocuments = z.object({ documents: z.int(), names: z.array(z.string()) })
export type NamedDocuments = z.infer<typeof NamedDocuments>

/** Documents that an answer could not use: those still being read, and those that failed. */
export const LeftOut = z.object({ reading: NamedDocuments, failed: NamedDocuments })
export type LeftOut = z.infer<typeof LeftOut>
