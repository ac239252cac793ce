import { type ChildProcess, fork } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import type { Pipeline } from '../src/parsers/elements/port.ts'
import type { FromChild } from '../src/parsers/reader/child.ts'
import type { Summary } from '../src/parsers/reader/write-reading.ts'
import { atLeast, atMost } from './measure/targets.ts'
import { measurePlaces } from './places.ts'

/**
 * Parses every file of a folder in child processes, one per kind of file like the product. Reports speed, memory and
 * failures with reasons; for PDF files also how many chunks of a generated file cover their text. With `--out` it writes
 * `OUT/FILE.md`, which `score.mjs` of the fixtures compares with the expected text. A folder with a `manifest.jsonl` means
 * the files named there.
 *
 * npm run bench -- parse <folder> [--out <folder>] [--pipeline low_latency|normal|improved] [--only pdf]
 */
export async function run(args: string[]): Promise<object> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      pipeline: { type: 'string', default: 'normal' },
      only: { type: 'string' },
    },
  })
  const [folder] = positionals
  if (!folder) throw new Error('Give the path of a folder of documents.')
  const kinds = Map.groupBy(listFiles(folder), (file) => extname(file).slice(1).toLowerCase())
  const formats: Record<string, object> = {}
  const outcomes: Outcome[] = []
  for (const [kind, files] of kinds) {
    if (values.only && kind !== values.only) continue
    const read = await readAll(folder, files, values.pipeline as Pipeline, values.out)
    outcomes.push(...read.outcomes)
    formats[kind] = summarize(read)
  }
  const pipeline = values.pipeline as Pipeline
  const places = formats.pdf ? await measurePlaces({ pipeline, ...installation }) : null
  const slowest = Math.max(0, ...outcomes.map(({ seconds }) => seconds))
  return {
    pipeline: values.pipeline,
    formats,
    failures: outcomes.flatMap(({ file, failure }) => (failure ? [{ file, failure }] : [])),
    targets: [
      atMost('crashes', outcomes.filter(({ failure }) => failure?.startsWith('crashed')).length, 0, 'files'),
      atMost('slowest file', round(slowest), 60, 's'),
      ...(places
        ? [atLeast(`of ${places.chunks} chunks over their text`, round(places.share * 100), 95, '%')]
        : []),
      ...(values.pipeline === 'low_latency' && formats.pdf
        ? [
            atLeast(
              'text of PDF files',
              (formats.pdf as { pages_per_second: number }).pages_per_second,
              100,
              'pages/s',
            ),
          ]
        : []),
    ],
  }
}

type Outcome = { file: string; seconds: number; pages: number; failure: string | null }
type Batch = { outcomes: Outcome[]; peakMb: number | null }

const MAX_SECONDS = 300

function listFiles(folder: string): string[] {
  const manifest = join(folder, 'manifest.jsonl')
  if (!existsSync(manifest))
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(join(folder, file)).isFile())
      .sort()
  const lines = readFileSync(manifest, 'utf8').split('\n').filter(Boolean)
  return [...new Set(lines.map((line) => (JSON.parse(line) as { file: string }).file))]
}

async function readAll(
  folder: string,
  files: string[],
  pipeline: Pipeline,
  out: string | undefined,
): Promise<Batch> {
  const scratch = mkdtempSync(join(tmpdir(), 'atrium-parse-'))
  let child = startChild()
  let peakMb: number | null = null
  const outcomes: Outcome[] = []
  for (const file of files) {
    const places = { folder: join(scratch, 'work'), outFolder: join(scratch, 'out') }
    for (const place of Object.values(places)) mkdirSync(place, { recursive: true })
    const started = performance.now()
    const failure = await readOne(child, {
      path: join(folder, file),
      name: file.split('/').at(-1) ?? file,
      pipeline,
      ...places,
    })
    const seconds = (performance.now() - started) / 1000
    peakMb = Math.max(peakMb ?? 0, peakOf(child.pid) ?? 0) || null
    if (failure?.startsWith('crashed')) child = startChild(child)
    const written = (name: string) => readFileSync(join(places.outFolder, name), 'utf8')
    if (!failure && out) write(join(out, `${relative('.', file)}.md`), written('digitized.md'))
    const pages = failure ? 0 : (JSON.parse(written('summary.json')) as Summary).parts
    outcomes.push({ file, seconds, pages: Math.max(1, pages), failure })
    console.error(`${failure ?? 'read'.padEnd(4)} ${file} ${round(seconds)} s`)
    for (const place of Object.values(places)) rmSync(place, { recursive: true })
  }
  child.kill()
  rmSync(scratch, { recursive: true })
  return { outcomes, peakMb }
}

function startChild(old?: ChildProcess): ChildProcess {
  old?.kill('SIGKILL')
  return fork(join(import.meta.dirname, '../src/parsers/reader/child.ts'))
}

/** Reads one file; returns the reason for a failure, otherwise null. */
function readOne(
  child: ChildProcess,
  file: { path: string; name: string; pipeline: Pipeline; folder: string; outFolder: string },
): Promise<string | null> {
  return new Promise((resolve) => {
    const end = (failure: string | null) => {
      clearTimeout(timer)
      child.removeAllListeners()
      resolve(failure)
    }
    const timer = setTimeout(() => end('crashed: took too long'), MAX_SECONDS * 1000)
    child.on('exit', (code, signal) => end(`crashed: ${signal ?? code}`))
    child.on('message', (message: FromChild) => {
      if (message.kind === 'read') end(null)
      else if (message.kind === 'unreadable') end(`${message.code} ${JSON.stringify(message.values)}`)
      else if (message.kind === 'failed') end(`failed: ${message.detail}`)
    })
    child.send({ kind: 'read', order: { ...file, ...installation } })
  })
}

/** Default settings of an installation. */
const installation = {
  language: 'en' as const,
  limits: {
    pages: 5000,
    characters: 50_000_000,
    rows: 1_000_000,
    unpackedBytes: 2 ** 30,
    entries: 20_000,
    depth: 3,
  },
  settings: {
    ocrLanguages: ['eng', 'fra'],
    transcription: null,
    modelsFolder: join(tmpdir(), 'atrium-models'),
  },
}

/** Returns the peak memory of a process in MB; null except on Linux. */
function peakOf(pid: number | undefined): number | null {
  try {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found ? Math.round(Number(found[1]) / 1024) : null
  } catch {
    return null
  }
}

function summarize({ outcomes, peakMb }: Batch) {
  const good = outcomes.filter(({ failure }) => failure === null)
  const seconds = good.reduce((sum, one) => sum + one.seconds, 0)
  const pages = good.reduce((sum, one) => sum + one.pages, 0)
  return {
    files: outcomes.length,
    failed: outcomes.length - good.length,
    pages,
    seconds: round(seconds),
    pages_per_second: seconds > 0 ? round(pages / seconds) : 0,
    peak_mb: peakMb,
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const round = (value: number) => Math.round(value * 100) / 100
