import type { MediaReference } from '../media/media.ts'
import type { CodeReadiness } from './code-readiness.ts'

/** A file of a working folder, with the location of its bytes. */
export type CodeFile = {
  name: string
  size: number
  from: { kind: 'media' | 'document'; id: string }
}

export type CodeLanguage = CodeReadiness['language']

/** Result of a program, and the working folder after it. */
export type CodeRun = {
  status: 'ok' | 'error' | 'timeout' | 'memory' | 'output' | 'killed'
  stdout: string
  stderr: string
  /** Created and changed files. */
  made: MediaReference[]
  folder: CodeFile[]
  /** Number of files dropped because of their number, size or name. */
  left: number
  ms: number
}

/** Runs programs in the working folder of a chat. */
export type CodePort = {
  /** Returns the languages that can run here. */
  readiness: () => Promise<CodeReadiness[]>
  /**
   * Opens the working folder from earlier calls of the chat, with the named documents or those of the chat.
   * Skips documents that do not exist or that the person may not read. @throws AppError `too_large`
   */
  open: (documentIds: string[]) => Promise<{ folder: CodeFile[]; uploaded: CodeFile[] }>
  /**
   * Runs a program in a folder and streams its output to `say`. @throws AppError `unavailable` when a file of the folder cannot be
   * restored, `not_available`, `quota_exceeded`
   */
  run: (
    program: { language: CodeLanguage; code: string },
    folder: CodeFile[],
    say: (text: string) => void,
  ) => Promise<CodeRun>
  /** Stores the folder for the next call of the chat. */
  keep: (folder: CodeFile[]) => Promise<void>
}

/** Calls the chat's model on behalf of a tool; charged to the step that makes the call. */
export type ModelPort = {
  /** @throws ModelError, AppError `insufficient_balance` */
  ask: (question: ModelQuestion, onText?: (text: string) => void) => Promise<string>
}
export type ModelQuestion = {
  system: string
  turns: { role: 'user' | 'assistant'; text: string }[]
}
