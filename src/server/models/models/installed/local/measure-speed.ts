import type { OpenModel } from './llama.ts'

/** Returns the tokens per second of a model on this machine, measured for `milliseconds` after its first token. */
export async function measureSpeed({ chat }: OpenModel, milliseconds: number): Promise<number> {
  const over = new AbortController()
  let begun = 0
  let ended = 0
  let tokens = 0
  const history = [
    { type: 'user' as const, text: 'Count from one to a thousand, one number after the other.' },
    { type: 'model' as const, response: ['one, two, three, four,'] },
  ]
  await chat
    .generateResponse(history, {
      ...{ signal: over.signal, maxTokens: 400, temperature: 0.6, topP: 0.95, seed: 1 },
      repeatPenalty: { penalty: 1.1, lastTokens: 64 },
      onResponseChunk: (chunk) => {
        ended = performance.now()
        if (begun === 0) begun = ended
        else tokens += Math.max(1, chunk.tokens.length)
        if (ended - begun > milliseconds) over.abort()
      },
    })
    .catch((error) => {
      if (!over.signal.aborted) throw error
    })
  if (tokens === 0) throw new Error('The trial returned no text.')
  return Math.round((10_000 * tokens) / Math.max(1, ended - begun)) / 10
}
