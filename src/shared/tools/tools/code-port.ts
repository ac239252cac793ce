import type { MediaReference } from '../media/media.ts'
import type { CodeReadiness } from './code-readiness.ts'

/** A file of a working folder: where its bytes are. */
export type CodeFile = {
  name: string
  size: number
  from: { kind: 'media' | 'document'; id: string }
}

export type CodeLanguage = CodeReadiness['language']

/** What came of one program, and the working folder after it. */
export type CodeRun = {
  status: 'ok' | 'error' | 'timeout' | 'memory' | 'output' | 'killed'
  stdout: string
  stderr: string
  /** Files it wrote or changed. */
  made: MediaReference[]
  folder: CodeFile[]
  /** Files that were too many, too large or badly named to be kept. */
  left: number
  ms: number
}

/** Programs as a tool runs them, in the working folder of its chat. */
export type CodePort = {
  /** Which languages can be run here. */
  readiness: () => Promise<CodeReadiness[]>
  /**
   * The working folder as earlier calls of the chat left it, with the documents that are named, or else those of the chat.
   * Documents that are not there, or not the person's, are passed over. @throws AppError `too_large`
   */
  open: (documentIds: string[]) => Promise<{ folder: CodeFile[]; uploaded: CodeFile[] }>
  /**
   * Runs a program in a folder; `say` hears what it prints. @throws AppError `unavailable` when a file of the folder cannot be
   * restored, `not_available`, `quota_exceeded`
   */
  run: (
    program: { language: CodeLanguage; code: string },
    folder: CodeFile[],
    say: (text: string) => void,
  ) => Promise<CodeRun>
  /** Keeps the folder for the next call of the chat. */
  keep: (folder: CodeFile[]) => Promise<void>
}

/** What a tool asks the model of its chat; paid for with the step it is asked in. */
export type ModelPort = {
  /** @throws ModelError, AppError `insufficient_balance` */
  ask: (question: ModelQuestion, onText?: (text: string) => void) => Promise<string>
}
export type ModelQuestion = {
  system: string
  turns: { role: 'user' | 'assistant'; text: string }[]
}
