import type { Readable } from 'node:stream'

/** Supported languages. One is available if its box passes the tests (`probe`). */
export const languages = ['python', 'javascript'] as const
export type Language = (typeof languages)[number]

/** A program and the files of its working folder. */
export type CodeJob = {
  language: Language
  code: string
  files: InputFile[]
  /** Stricter limits than those of the installation. */
  bounds?: Partial<BoxBounds>
}

export type InputFile = {
  /** A relative path (`isFileName`). */
  name: string
  size: number
  open: () => Promise<Readable>
}

export type BoxBounds = {
  /** Limits in seconds: elapsed time, and CPU time per process. */
  wallSeconds: number
  cpuSeconds: number
  /** Memory of all its processes together, in bytes. */
  memory: number
  /** Concurrent processes and threads. */
  processes: number
  /** Size of the working folder in bytes, and the maximum number of files taken from it. */
  disk: number
  files: number
  /** Maximum bytes printed. */
  output: number
}

/** A file the program wrote or changed. Its bytes are at `path` until the run is over. */
export type OutputFile = { name: string; size: number; path: string }

/** How a program ended. */
export type CodeStatus = 'ok' | 'error' | 'timeout' | 'memory' | 'output' | 'killed'

export type CodeOutcome = {
  status: CodeStatus
  exitCode: number | null
  stdout: string
  stderr: string
  files: OutputFile[]
  /** Files of the job that the program removed. */
  gone: string[]
  /** Number of files omitted because they were too many, too large or badly named. */
  left: number
  ms: number
}

export type Stream = 'stdout' | 'stderr'

const PARTS_MAX = 4
const NAME_MAX = 120

/** Returns whether a name is a safe relative path in a working folder. */
export function isFileName(name: string): boolean {
  const parts = name.split('/')
  return (
    parts.length <= PARTS_MAX &&
    parts.every((part) => part.length > 0 && part.length <= NAME_MAX && !/^\.{1,2}$/.test(part)) &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses them
    !/[\u0000-\u001f\u007f\\\ud800-\udfff]/u.test(name)
  )
}
