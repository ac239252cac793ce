import type { Readable } from 'node:stream'

/** What can be run; a language is there when its box holds (`probe`). */
export const languages = ['python', 'javascript'] as const
export type Language = (typeof languages)[number]

/** A program and the files of its working folder. */
export type CodeJob = {
  language: Language
  code: string
  files: InputFile[]
  /** Tighter bounds than the installation's. */
  bounds?: Partial<BoxBounds>
}

export type InputFile = {
  /** A relative path (`isFileName`). */
  name: string
  size: number
  open: () => Promise<Readable>
}

export type BoxBounds = {
  /** Time from the start to the end, and of the processor for each process, in seconds. */
  wallSeconds: number
  cpuSeconds: number
  /** Bytes of memory of all its processes together. */
  memory: number
  /** Processes and threads at once. */
  processes: number
  /** Bytes of its working folder, and how many files are taken from it. */
  disk: number
  files: number
  /** Bytes of text it may print. */
  output: number
}

/** A file the program wrote or changed; its bytes stand at `path` until the run is over. */
export type OutputFile = { name: string; size: number; path: string }

/** Why a program did not end by itself, or how it did. */
export type CodeStatus = 'ok' | 'error' | 'timeout' | 'memory' | 'output' | 'killed'

export type CodeOutcome = {
  status: CodeStatus
  exitCode: number | null
  stdout: string
  stderr: string
  files: OutputFile[]
  /** Files of the job that the program removed. */
  gone: string[]
  /** Files it left that were too many, too large or badly named. */
  left: number
  ms: number
}

export type Stream = 'stdout' | 'stderr'

const PARTS_MAX = 4
const NAME_MAX = 120

/** Whether a name may stand in a working folder: a relative path without tricks. */
export function isFileName(name: string): boolean {
  const parts = name.split('/')
  return (
    parts.length <= PARTS_MAX &&
    parts.every((part) => part.length > 0 && part.length <= NAME_MAX && !/^\.{1,2}$/.test(part)) &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    !/[\u0000-\u001f\u007f\\\ud800-\udfff]/u.test(name)
  )
}
