import type { Doubt } from '../../platform/citations/doubts.ts'
import type { FoundPassage } from '../../platform/citations/passages.ts'
import type { LeftOut } from '../documents/named-documents.ts'
import type { Coverage } from './corpus.ts'

/** What is to be read from beginning to end; without any of these what the chat has. */
export type CorpusWish = {
  document_ids?: readonly string[] | undefined
  workspace_ids?: readonly string[] | undefined
  /** In place of documents. */
  text?: string | undefined
  /** Where nothing is named and the chat has nothing, the whole library is read. */
  orLibrary?: boolean
}

/** What one call of a model reads: some passages by their ids, or a part of a text by where it begins and ends. */
export type CorpusPiece = { chunks: string[] } | { span: [number, number] }

/** Everything that is read, fixed before the first piece is: no words, only where they stand. */
export type Corpus = {
  pieces: CorpusPiece[]
  passages: number
  documents: number
  /** The first of these documents. */
  sources: { id: string; name: string }[]
  left_out: LeftOut
  /** Characters of a piece at most. */
  piece_size: number
  cost: CorpusCost
}

/** What reading it takes, about: tokens of all calls, and dollars; null where no price is known. */
export type CorpusCost = { tokens: number; dollars: number | null; question: string | null }

/** What is read for. `text` is what spans are of. */
export type CorpusTask = { task: string; text?: string | undefined }

/** What was noted of one or several pieces, with citation tags; `read` passages are behind it. */
export type CorpusNote = { lines: NoteLine[]; read: number }
/** A line that cites nothing keeps the passages it may come from. */
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
 * Documents, or a text, that are read whole for the person something is done for. What it asks of a model is paid for with the step it is used
 * in, and asked again when the model fails in passing. What the person may no longer see when its turn comes is neither read nor told.
 */
export type CorpusPort = {
  /** @throws AppError when there is nothing to read, or too much */
  fix: (wish: CorpusWish) => Promise<Corpus>
  /** Notes what a piece says about a task. @throws AppError, ModelError */
  note: (task: CorpusTask, piece: CorpusPiece) => Promise<CorpusNote>
  /** Which notes are joined next, by their places; null when all of them fit one answer. */
  group: (notes: readonly CorpusNote[]) => number[][] | null
  /** Makes one note of several. @throws AppError, ModelError */
  join: (task: CorpusTask, notes: readonly CorpusNote[]) => Promise<CorpusNote>
  /** `onText` hears the answer while it is written; with null it begins anew. @throws AppError, ModelError */
  answer: (
    task: CorpusTask,
    corpus: Corpus,
    notes: readonly CorpusNote[],
    onText: (text: string | null) => void,
  ) => Promise<CorpusAnswer>
}
