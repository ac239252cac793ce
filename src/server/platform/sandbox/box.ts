import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { memoryOf } from '../parsing/memory.ts'
import { lowerPriority, lowerSession } from '../process/lower-priority.ts'
import type { BoxCommand } from './bubblewrap.ts'
import { frameHead, type Header, readFrames, send } from './frames.ts'
import {
  type BoxBounds,
  type CodeJob,
  type CodeOutcome,
  type CodeStatus,
  isFileName,
  type OutputFile,
  type Stream,
} from './job.ts'

export type BoxOptions = {
  bounds: BoxBounds
  /** Folder for output files. */
  folder: string
  signal: AbortSignal
  /** Receives output as it is printed. */
  say: (stream: Stream, text: string) => void
}

const CHECK_INTERVAL_MS = 40
/** Other work has priority. */
const NICENESS = 10
const SESSION_NICENESS = 5

/**
 * Starts a sandboxed process, sends it the program and its files, and waits for its end. @throws the reason of `signal`;
 * errors of opening an input
 */
export async function runInBox(
  command: BoxCommand,
  job: CodeJob,
  { bounds, folder, signal, say }: BoxOptions,
): Promise<CodeOutcome> {
  signal.throwIfAborted()
  const began = performance.now()
  const child = spawnBox(command)
  if (child.pid) {
    lowerPriority(NICENESS, child.pid)
    lowerSession(SESSION_NICENESS, child.pid)
  }
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  let stopped: CodeStatus | null = null
  const stop = (why: CodeStatus) => {
    stopped ??= why
    killGroup(child)
  }
  const printed = listen(child, bounds.output, say, () => stop('output'))
  const watch = setInterval(() => {
    if (performance.now() - began > bounds.wallSeconds * 1000) stop('timeout')
    else if (child.pid && memoryOf(child.pid) > bounds.memory) stop('memory')
  }, CHECK_INTERVAL_MS)
  const onAbort = () => stop('killed')
  signal.addEventListener('abort', onAbort, { once: true })
  const taken = takeFiles(child.stdio[4] as Readable, folder, bounds).catch(() => null)
  try {
    await feed(child.stdin as Writable, job, bounds)
    await ended
  } finally {
    killGroup(child)
    clearInterval(watch)
    signal.removeEventListener('abort', onAbort)
    await ended
  }
  signal.throwIfAborted()
  const result = (await taken) ?? { files: [], gone: [], left: 0, end: null }
  const { end, ...kept } = result
  return {
    ...kept,
    ...{ stdout: printed.stdout(), stderr: printed.stderr(), ms: Math.round(performance.now() - began) },
    status: stopped ?? statusOf(end),
    exitCode: typeof end?.code === 'number' ? end.code : null,
  }
}

const SIGKILL = 9
const SIGXCPU = 24

function statusOf(end: Header | null): CodeStatus {
  if (!end) return 'killed'
  if (end.signal === SIGXCPU || end.signal === SIGKILL) return 'timeout'
  return end.code === 0 ? 'ok' : 'error'
}

function spawnBox({ program, args, filter, opened, release, user, env }: BoxCommand): ChildProcess {
  try {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe', filter ? 'pipe' : 'ignore', 'pipe', ...opened],
      ...{ env, detached: true, windowsHide: true, cwd: '/', ...user },
    })
    // A process that fails to start or has ended is noticed by its exit.
    for (const stream of child.stdio) stream?.on('error', () => undefined)
    if (filter) (child.stdio[3] as Writable).end(filter)
    return child
  } finally {
    release()
  }
}

/** Sends the program, its files, and last its limits, which start it. */
async function feed(target: Writable, job: CodeJob, bounds: BoxBounds): Promise<void> {
  const code = Buffer.from(job.code)
  await send(target, Buffer.concat([frameHead({ kind: 'code', size: code.length }), code]))
  for (const { name, size, open } of job.files) {
    await send(target, frameHead({ kind: 'file', name, size }))
    let given = 0
    for await (const chunk of await open()) {
      given += (chunk as Buffer).length
      if (target.destroyed) return
      await send(target, chunk as Buffer)
    }
    if (given !== size) throw new Error(`The file ${name} has ${given} bytes, not ${size}.`)
  }
  const { cpuSeconds: cpu, memory, processes, disk, files } = bounds
  target.end(frameHead({ kind: 'bounds', cpu, memory, processes, disk, files }))
}

/** Collects output up to `most` bytes in total and passes it on. */
function listen(child: ChildProcess, most: number, say: BoxOptions['say'], onTooMuch: () => void) {
  let left = most
  const collect = (stream: Stream) => {
    const decoder = new StringDecoder('utf8')
    let text = ''
    child[stream]?.on('data', (chunk: Buffer) => {
      const fitting = chunk.subarray(0, left)
      left -= fitting.length
      const said = decoder.write(fitting)
      if (said !== '') say(stream, said)
      text += said
      if (fitting.length < chunk.length) onTooMuch()
    })
    return () => text
  }
  return { stdout: collect('stdout'), stderr: collect('stderr') }
}

type Taken = { files: OutputFile[]; gone: string[]; left: number; end: Header | null }

/** Stores output files with valid names, within the limits on number and size. */
async function takeFiles(source: Readable, folder: string, bounds: BoxBounds): Promise<Taken> {
  const taken: Taken = { files: [], gone: [], left: 0, end: null }
  let bytes = 0
  await readFrames(source, async (header, content) => {
    if (header.kind === 'end') taken.end = header
    else if (header.kind === 'gone') taken.gone = namesOf(header)
    else if (header.kind === 'file') {
      const { name, size = 0 } = header
      const isKnown = taken.files.some((file) => file.name === name)
      const fits = taken.files.length < bounds.files && bytes + size <= bounds.disk
      if (typeof name !== 'string' || !isFileName(name) || isKnown || !fits) {
        taken.left += 1
        return
      }
      bytes += size
      const path = join(folder, String(taken.files.length))
      await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600 }))
      taken.files.push({ name, size, path })
    }
  })
  return taken
}

function namesOf({ names }: Header): string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

/** Kills all processes: those in a box end with the first of them, others as a group. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (!pid || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended, or the system has no process groups.
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
}
