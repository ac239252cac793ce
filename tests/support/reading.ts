import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digitize } from '../../src/parsers/elements/markdown.ts'
import type {
  Element,
  Format,
  Job,
  LetterCount,
  Page,
  Parse,
  Warning,
} from '../../src/parsers/elements/port.ts'

/** A parser's result for some bytes. */
export type Result = {
  elements: Element[]
  pages: Page[]
  warnings: Warning[]
  facts: Record<string, string | number>
  progress: [done: number, total: number][]
  kept: Record<string, Uint8Array | { path: string }>
  markdown: string
  letters: LetterCount | null
}

/** Lets a parser read bytes as a file. */
export async function readBytes(
  parse: Parse,
  format: Format,
  bytes: Uint8Array,
  options: Partial<Pick<Job, 'pipeline' | 'limits' | 'settings' | 'signal'>> = {},
): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'atrium-parser-'))
  const result: Result = {
    elements: [],
    pages: [],
    warnings: [],
    facts: {},
    progress: [],
    kept: {},
    markdown: '',
    letters: null,
  }
  try {
    await mkdir(join(home, 'work'))
    const path = join(home, `file.${format}`)
    await writeFile(path, bytes)
    await parse({
      path,
      size: bytes.length,
      name: `file.${format}`,
      format,
      pipeline: 'normal',
      folder: join(home, 'work'),
      language: 'en',
      limits: { pages: 1000, characters: 1e7, rows: 1e5, unpackedBytes: 1e8, entries: 1000, depth: 3 },
      signal: new AbortController().signal,
      settings: { ocrLanguages: ['eng', 'fra'], transcription: null, modelsFolder: join(home, 'models') },
      add: (element) => void result.elements.push(element),
      page: (page) => void result.pages.push(page),
      progress: (done, total) => void result.progress.push([done, total]),
      warn: (warning) => void result.warnings.push(warning),
      compared: (letters) => void Object.assign(result, { letters }),
      describe: (facts) => void Object.assign(result.facts, facts),
      keep: async (name, content) => void Object.assign(result.kept, { [name]: content }),
      attach: () => undefined,
      ...options,
    })
  } finally {
    await rm(home, { recursive: true })
  }
  return { ...result, markdown: digitize(result.elements).markdown }
}
