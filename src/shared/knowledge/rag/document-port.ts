import type { FoundPassage } from '../../platform/citations/passages.ts'
import type { SourceFilter } from '../connectors/source-filter.ts'
import type { LeftOut } from '../documents/named-documents.ts'
import type { DocumentAnswer } from './rag.ts'

/** A question on documents. Without ids it covers the documents of the chat, or the whole library when it has none. */
export type DocumentQuestion = SourceFilter & {
  query: string
  document_ids?: readonly string[] | undefined
  workspace_ids?: readonly string[] | undefined
}

/** Search result as plain data, so that it can be recorded. */
export type FoundDocuments = {
  question: string
  /** Best first; those with a `rank` are given to the model. */
  passages: FoundPassage[]
  searched: DocumentAnswer['searched']
  /** Names of the first searched documents. */
  names: string[]
  /** Absent in older records. */
  left_out?: LeftOut
}

/** Answers from the documents that the person of the run may see. */
export type DocumentPort = {
  /** Searches documents. Calls `told` when the search and when the ranking begins. @throws AppError */
  find: (
    question: DocumentQuestion,
    told: (phase: 'RETRIEVAL' | 'RERANKING') => void,
  ) => Promise<FoundDocuments>
  /** Streams the cited answer to `onText`. @throws AppError */
  answer: (found: FoundDocuments, onText: (text: string) => void) => Promise<DocumentAnswer>
}
