import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/esm/encoding/o200k_base'
import { lowerPriority } from '../../../platform/process/lower-priority.ts'

// The tokenizer takes more than linear time for an unbroken run of characters.
const pieceMax = 2000
const nothingSpecial = { disallowedSpecial: new Set<string>() }

// HTTP requests come first.
lowerPriority(10)

type Asked = { id: number; text: string } | { id: number; lists: number[][] }

parentPort?.on('message', async (asked: Asked) => {
  const answer = 'text' in asked ? countAll(asked.text) : await decodeAll(asked.lists)
  parentPort?.postMessage({ id: asked.id, answer })
})

function countAll(text: string): number {
  let count = 0
  for (const piece of splitText(text)) count += countTokens(piece, nothingSpecial)
  return count
}

/** Loads the vocabulary on demand, because it is large and rarely needed. */
async function decodeAll(lists: number[][]): Promise<string[] | null> {
  const { decode } = await import('gpt-tokenizer/esm/encoding/cl100k_base')
  try {
    return lists.map((tokens) => decode(tokens))
  } catch {
    return null
  }
}

function* splitText(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = Math.min(at + pieceMax, text.length)
    const space = end < text.length ? text.slice(at, end).lastIndexOf(' ') : -1
    const cut = space > 0 ? at + space : end
    yield text.slice(at, cut)
    at = cut
  }
}
