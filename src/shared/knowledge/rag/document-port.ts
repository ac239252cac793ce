import type { FoundPassage } from '../../platform/citations/passages.ts'
import type { LeftOut } from '../documents/named-documents.ts'
import type { DocumentAnswer } from './rag.ts'

/** A question to documents; without ids to those of the chat, or to the whole library where it has none. */
export type DocumentQuestion = {
  query: string
  document_ids?: readonly string[] | undefined
  workspace_ids?: readonly string[] | undefined
}

/** What was found for it; plain data, so that it can be recorded. */
export type FoundDocuments = {
  question: string
  /** The best first; those with a `rank` are what a model is given. */
  passages: FoundPassage[]
  searched: DocumentAnswer['searched']
  /** Of the first documents that were looked through. */
  names: string[]
  /** Absent in what was recorded before it was noted. */
  left_out?: LeftOut
}

/** Answers from the documents that the person may see for whom something is done. */
export type DocumentPort = {
  /** `told` hears when it begins to search, and when it begins to put in order what it found. @throws AppError */
  find: (
    question: DocumentQuestion,
    told: (phase: 'RETRIEVAL' | 'RERANKING') => void,
  ) => Promise<FoundDocuments>
  /** `onText` hears the cited answer while it is written. @throws AppError */
  answer: (found: FoundDocuments, onText: (text: string) => void) => Promise<DocumentAnswer>
}
