import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { serializeMessage, type Transport } from '@modelcontextprotocol/client'
import type { AppError } from '#shared/platform/errors.ts'
import { memoryOf } from '../parsing/memory.ts'
import { makeOwnFolder } from '../process/own-folder.ts'
import type { McpAddress } from './address.ts'
import { bounds, createMeter } from './bounds.ts'
import { secretsIn } from './hide-secrets.ts'
import { readLine } from './messages/read-line.ts'
import { programEnvironment } from './program-environment.ts'

const CHECK_INTERVAL_MS = 500
/** Name prefix of the working folders of programs. */
export const PROGRAM_FOLDERS = 'atrium-mcp'
/** Maximum characters shown of the end of a program's error output. */
const MAX_OUTPUT_CHARACTERS = 300

/** Why a program was ended, or that it ended by itself. */
export type EndedBy = 'itself' | 'memory' | 'flood'
export type Program = Transport & {
  endedBy: () => EndedBy | null
  /** Returns the end of its error output. */
  lastWords: () => string
}

/**
 * Starts a server that is a program on this machine. It has a process group that ends as a whole, an empty folder, and none
 * of our settings. Its memory and output are limited.
 */
export function startProgram(
  address: McpAddress & { kind: 'stdio' },
  onRefused: (why: AppError) => void,
): Program {
  const { command, args, env } = address
  const secrets = secretsIn(address)
  let child: ChildProcess | null = null
  let endedBy: EndedBy | null = null
  let said = ''
  let watch: NodeJS.Timeout | undefined
  const { path: folder, remove } = makeOwnFolder(tmpdir(), PROGRAM_FOLDERS)
  const mayPass = createMeter()
  const transport: Program = {
    endedBy: () => endedBy,
    lastWords: () => said.trim().slice(-MAX_OUTPUT_CHARACTERS),
    start: () =>
      new Promise((resolve, reject) => {
        const started = spawn(command, args, {
          ...{
            cwd: folder,
            env: { ...programEnvironment(folder), ...env },
            detached: true,
            windowsHide: true,
          },
          stdio: ['pipe', 'pipe', 'pipe'],
        })
        child = started
        for (const stream of started.stdio) stream?.on('error', () => undefined)
        started.once('error', reject)
        started.once('spawn', () => resolve())
        started.once('close', () => {
          clearInterval(watch)
          killFamily(started)
          endedBy ??= 'itself'
          void remove().catch(() => undefined)
          transport.onclose?.()
        })
        started.stderr?.on('data', (chunk: Buffer) => {
          said = (said + chunk.toString()).slice(-2 * MAX_OUTPUT_CHARACTERS)
        })
        void readLines(started, {
          onLine: async (line) => {
            if (!mayPass()) return end('flood')
            // Output that is not a message is ignored.
            const messages = await readLine(line, secrets).catch((error: AppError) => error)
            if (messages instanceof Error) {
              end('flood')
              onRefused(messages)
            } else for (const message of messages) transport.onmessage?.(message)
          },
          onTooLong: () => end('flood'),
        })
        watch = setInterval(() => {
          if (started.pid && memoryOf(started.pid) > bounds.memoryBytes) end('memory')
        }, CHECK_INTERVAL_MS)
      }),
    send: async (message) => {
      const target = child?.stdin
      if (!target || endedBy) throw new Error('The program has ended.')
      if (!target.write(serializeMessage(message)))
        await new Promise<void>((resolve) => {
          target.once('drain', resolve)
          child?.once('close', () => resolve())
        })
    },
    close: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) {
        await remove()
        return
      }
      const running = child
      const closed = new Promise<void>((resolve) => running.once('close', () => resolve()))
      // The program may shut down cleanly; then it is killed with its child processes.
      running.stdin?.end()
      const timer = setTimeout(() => killFamily(running), 300)
      await closed
      clearTimeout(timer)
    },
  }
  const end = (why: EndedBy) => {
    endedBy ??= why
    if (child) killFamily(child)
  }
  return transport
}

/** Lines read per turn of the event loop. */
const LINES_PER_TURN = 50

type Lines = { onLine: (line: Buffer) => Promise<void>; onTooLong: () => void }

/** Reads lines one by one. The program blocks if it writes faster. */
async function readLines({ stdout }: ChildProcess, { onLine, onTooLong }: Lines): Promise<void> {
  let parts: Buffer[] = []
  let held = 0
  let lines = 0
  try {
    for await (const chunk of stdout ?? []) {
      let rest: Buffer = chunk
      for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
        held += at
        if (held > bounds.messageBytes) return onTooLong()
        const line = Buffer.concat([...parts, rest.subarray(0, at)])
        parts = []
        held = 0
        rest = rest.subarray(at + 1)
        if (line.length > 0) await onLine(line)
        lines += 1
        if (lines % LINES_PER_TURN === 0) await nextTurn()
      }
      held += rest.length
      if (held > bounds.messageBytes) return onTooLong()
      if (rest.length > 0) parts.push(rest)
    }
  } catch {
    // The program ended within a line.
  }
}

/** Kills a program and all its child processes, which share a group. */
function killFamily({ pid }: ChildProcess): void {
  if (!pid) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
