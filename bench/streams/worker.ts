import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pinTo } from '../measure/processes.ts'

/** A helper process of the benchmark, pinned to some cores, that answers each message with one message. */
export type Worker = {
  pid: number
  /** Its ready message. */
  hello: { port?: number }
  ask<Answer>(message: object): Promise<Answer>
  stop(): void
}

/** Starts `bench/streams/<name>.ts` and waits until it is ready. */
export async function startWorker(
  name: 'generator' | 'relay' | 'reader',
  cores: number[],
  env: Record<string, string> = {},
): Promise<Worker> {
  const [command = process.execPath, ...args] = [
    ...pinTo(cores),
    process.execPath,
    join(import.meta.dirname, `${name}.ts`),
  ]
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const hello = await nextMessage<{ port?: number }>(child)
  return {
    pid: child.pid ?? 0,
    hello,
    ask: (message) => {
      const answer = nextMessage<never>(child)
      child.send(message)
      return answer
    },
    stop: () => {
      child.kill('SIGKILL')
    },
  }
}

function nextMessage<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a worker of the benchmark ended (${code})`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as Answer)
    })
  })
}
