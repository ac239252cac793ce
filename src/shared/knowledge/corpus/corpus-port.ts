import type { Doubt } from '../../platform/citations/doubts.ts'
import type { FoundPassage } from '../../platform/citations/passages.ts'
import type { SourceFilter } from '../connectors/source-filter.ts'
import type { LeftOut } from '../documents/named-documents.ts'
import type { Coverage } from './corpus.ts'

/** The material to read in full; default: the documents of the chat. */
export type CorpusWish = SourceFilter & {
  document_ids?: readonly string[] | undefined
  workspace_ids?: readonly string[] | undefined
  /** Text to read instead of documents. */
  text?: string | undefined
  /** Reads the whole library when nothing is named and the chat has no documents. */
  orLibrary?: boolean
}

/** The input of one model call: passages by id, or a span of a text. */
export type CorpusPiece = { chunks: string[] } | { span: [number, number] }

/** The material, fixed before the first piece is read. It holds references only, no text. */
export type Corpus = {
  pieces: CorpusPiece[]
  passages: number
  documents: number
  /** The first of the documents. */
  sources: { id: string; name: string }[]
  left_out: LeftOut
  /** Maximum characters of a piece. */
  piece_size: number
  cost: CorpusCost
}

/** Estimated cost of reading: tokens of all calls, and dollars; null when the price is unknown. */
export type CorpusCost = { tokens: number; dollars: number | null; question: string | null }

/** The task to read for. Spans refer to `text`. */
export type CorpusTask = { task: string; text?: string | undefined }

/** The note of one or several pieces, with citation tags, based on `read` passages. */
export type CorpusNote = { lines: NoteLine[]; read: number }
/** For a line without citations, `from` lists the passages it may come from. */
export type NoteLine = { text: string; from?: string[] }

export type CorpusAnswer = {
  response: string
  is_answered: boolean
  /** Cited passages, in the order of their numbers. */
  passages: FoundPassage[]
  doubts: Doubt[]
  coverage: Coverage
}

/**
 * Reads documents or a text in full on behalf of a person. Model calls are charged to the step that makes them and retried
 * after temporary failures. Passages the person may no longer read are skipped.
 */
export type CorpusPort = {
  /** @throws AppError when there is nothing to read, or too much */
  fix: (wish: CorpusWish) => Promise<Corpus>
  /** Returns a note of a piece for a task. @throws AppError, ModelError */
  note: (task: CorpusTask, piece: CorpusPiece) => Promise<CorpusNote>
  /** Returns the indexes of the notes to join next; null when all of them fit one answer. */
  group: (notes: readonly CorpusNote[]) => number[][] | null
  /** Joins several notes into one. @throws AppError, ModelError */
  join: (task: CorpusTask, notes: readonly CorpusNote[]) => Promise<CorpusNote>
  /** Streams the answer to `onText`; null means that the text starts over. @throws AppError, ModelError */
  answer: (
    task: CorpusTask,
    corpus: Corpus,
    notes: readonly CorpusNote[],
    onText: (text: string | null) => void,
  ) => Promise<CorpusAnswer>
}
