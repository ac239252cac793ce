import { Worker } from 'node:worker_threads'
import { codeUrl } from '../../../platform/process/checkout.ts'
import { ownModulesOnly } from '../../../platform/process/own-modules.ts'

export type TokenCounter = {
  count(text: string): Promise<number>
  /** Decodes lists of cl100k tokens; null when one of them is invalid. */
  decode(lists: number[][]): Promise<string[] | null>
  close(): Promise<void>
}

const idleMs = 60_000
/** Maximum characters to count. The count of a longer text is extrapolated from pieces all over it. */
const countedMax = 64_000
const samplePiece = 1_000

type Waiting = { resolve: (answer: never) => void; reject: (error: unknown) => void }

/**
 * Creates a token counter (o200k) in a worker thread that starts at the first text and ends when idle. Long texts are sampled: the
 * learned factor of a model is less precise than the sample.
 */
export function createTokenCounter(): TokenCounter {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let next = 0

  const end = async (reason: unknown) => {
    clearTimeout(idle)
    const ending = worker
    worker = null
    for (const { reject } of waiting.values()) reject(reason)
    waiting.clear()
    await ending?.terminate()
  }
  const rest = () => {
    clearTimeout(idle)
    if (waiting.size > 0) return
    idle = setTimeout(() => void end(null), idleMs)
    idle.unref()
  }
  const start = () => {
    const started = new Worker(codeUrl('src/server/models/models/tokens/count-worker.ts'), {
      execArgv: ownModulesOnly,
    })
    started.unref()
    started.on('message', ({ id, answer }: { id: number; answer: unknown }) => {
      waiting.get(id)?.resolve(answer as never)
      waiting.delete(id)
      rest()
    })
    started.on('error', (error) => void end(error))
    return started
  }
  const ask = <Answer>(asked: { text: string } | { lists: number[][] }) => {
    worker ??= start()
    clearTimeout(idle)
    const id = next++
    const answered = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }))
    worker.postMessage({ id, ...asked })
    return answered
  }
  const countWhole = (text: string) => ask<number>({ text })
  return {
    async count(text) {
      if (text.length <= countedMax) return countWhole(text)
      const sample = takeSample(text)
      return Math.round(((await countWhole(sample)) * text.length) / sample.length)
    },
    decode: (lists) => ask<string[] | null>({ lists }),
    close: () => end(new Error('The token counter was closed.')),
  }
}

function takeSample(text: string): string {
  const pieces = countedMax / samplePiece
  const step = (text.length - samplePiece) / (pieces - 1)
  const piece = (n: number) => text.slice(Math.round(n * step), Math.round(n * step) + samplePiece)
  return Array.from({ length: pieces }, (_, n) => piece(n)).join('')
}

/** Returns how many tokens of a model's family one o200k token is. */
export function familyFactor(modelId: string): number {
  if (/claude|anthropic/i.test(modelId)) return 1.4
  return /gpt|openai|\bo\d/i.test(modelId) ? 1 : 1.1
}
