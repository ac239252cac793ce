import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { AppError } from '#shared/platform/errors.ts'
import { memoryOf } from '../parsing/memory.ts'
import { makeOwnFolder } from '../process/own-folder.ts'
import type { McpAddress } from './address.ts'
import { bounds, createMeter } from './bounds.ts'
import { secretsIn } from './hide-secrets.ts'
import { readMessages } from './messages/read-messages.ts'
import { programEnvironment } from './program-environment.ts'

const LOOK_EVERY_MS = 500
/** The folders programs work in, by the beginning of their names. */
export const PROGRAM_FOLDERS = 'atrium-mcp'
/** Characters of what a program last said on its error output. */
const SAID_MOST = 300

/** Why a program was ended, or that it ended by itself. */
export type EndedBy = 'itself' | 'memory' | 'flood'
export type Program = Transport & {
  endedBy: () => EndedBy | null
  /** The end of what it said beside its messages. */
  lastWords: () => string
}

/**
 * A server that is a program of this machine: in a group of processes of its own that ends as a whole, with an empty folder and
 * none of our settings, watched for memory and for what it sends.
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
    lastWords: () => said.trim().slice(-SAID_MOST),
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
          said = (said + chunk.toString()).slice(-2 * SAID_MOST)
        })
        void readLines(started, {
          onLine: async (line) => {
            if (!mayPass()) return end('flood')
            const message = await readLine(line, secrets)
            // What is no message is a word the program says to nobody.
            if (message instanceof AppError) {
              end('flood')
              onRefused(message)
            } else if (message) transport.onmessage?.(message)
          },
          onTooLong: () => end('flood'),
        })
        watch = setInterval(() => {
          if (started.pid && memoryOf(started.pid) > bounds.memoryBytes) end('memory')
        }, LOOK_EVERY_MS)
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
      // It may put down what it holds; then it ends with all it started.
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

/** A message without secrets; null for what is none, and why one is refused. */
async function readLine(
  bytes: Buffer,
  secrets: readonly string[],
): Promise<JSONRPCMessage | AppError | null> {
  try {
    const message = await readMessages({ bytes, form: 'json', secrets })
    return parseJSONRPCMessage(JSON.parse(new TextDecoder().decode(message)))
  } catch (error) {
    return error instanceof AppError ? error : null
  }
}

/** Lines that are read in one turn of the event loop. */
const LINES_PER_TURN = 50

type Lines = { onLine: (line: Buffer) => Promise<void>; onTooLong: () => void }

/** Reads lines one after the other; the program waits when it says more than is read. */
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
    // The program ended in the middle of a line.
  }
}

/** A program and all that it started, which are one group. */
function killFamily({ pid }: ChildProcess): void {
  if (!pid) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
