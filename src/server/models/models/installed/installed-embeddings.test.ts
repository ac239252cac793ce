import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { installModel, tinyModel } from '#tests/tiny-onnx.ts'
import { createInstalledEmbeddings } from './installed-embeddings.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-embeddings-'))
const opened: ReturnType<typeof createInstalledEmbeddings>[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const open = () => {
  const embeddings = createInstalledEmbeddings(folder)
  opened.push(embeddings)
  return embeddings
}
const never = new AbortController().signal

const config = { hidden_size: 3, max_position_embeddings: 12 }
/** The vector of `[CLS]` has the third number, that of `rent` the first, that of `soup` the second. */
const table = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 1],
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
]
const install = (name: string, more: Record<string, object> = {}, model = tinyModel(table)) =>
  installModel(join(folder, name), model, { 'config.json': config, ...more })
const near = (numbers: number[]) => numbers.map((number) => expect.closeTo(number, 3))
const third = 1 / Math.sqrt(2)

describe('an installed embedding model', () => {
  it('is listed with its facts and embeds by the mean of all tokens or by the first', {
    timeout: 60_000,
  }, async () => {
    install('mean')
    install('first', { '1_Pooling/config.json': { pooling_mode_cls_token: true } })
    expect(await open().list()).toEqual([
      {
        ...{ id: 'installed/first', name: 'first', provider_name: null },
        ...{ dimensions: 3, max_tokens: 12, problem: null },
      },
      expect.objectContaining({ id: 'installed/mean', problem: null }),
    ])
    const [rent, soup] = await open().embed('installed/mean', ['rent', 'soup'], 'passage', never)
    expect([...(rent ?? [])]).toEqual(near([third, 0, third]))
    expect([...(soup ?? [])]).toEqual(near([0, third, third]))
    const [first] = await open().embed('installed/first', ['rent soup'], 'passage', never)
    expect([...(first ?? [])]).toEqual(near([0, 0, 1]))
  })

  it('cuts long texts and puts the prefix before questions', { timeout: 60_000 }, async () => {
    install('prompted', {
      'config_sentence_transformers.json': { prompts: { query: 'soup ', document: '' } },
      'sentence_bert_config.json': { max_seq_length: 8 },
    })
    const embeddings = open()
    const [asked] = await embeddings.embed('installed/prompted', ['rent'], 'query', never)
    const [told] = await embeddings.embed('installed/prompted', ['rent'], 'passage', never)
    expect([...(asked ?? [])]).toEqual(near([1, 1, 1].map((one) => one / Math.sqrt(3))))
    expect([...(told ?? [])]).toEqual(near([third, 0, third]))
    const long = `${'rent '.repeat(6)}${'soup '.repeat(3_000)}`
    const [cut] = await embeddings.embed('installed/prompted', [long], 'passage', never)
    expect(cut?.[1]).toBe(0)
  })

  it('explains in a sentence what is missing or wrong', { timeout: 60_000 }, async () => {
    mkdirSync(join(folder, 'wrong-empty'))
    const bare = join(folder, 'wrong-bare')
    mkdirSync(bare)
    writeFileSync(join(bare, 'model.onnx'), 'x')
    install('wrong-length', { 'config.json': { hidden_size: 3 } })
    install('wrong-words', { 'tokenizer.json': { model: null } })
    install('wrong-pooling', { '1_Pooling/config.json': { pooling_mode_max_tokens: true } })
    const problems = (await open().list()).filter(({ problem }) => problem !== null)
    expect(Object.fromEntries(problems.map(({ name, problem }) => [name, problem]))).toEqual({
      'wrong-empty': 'model.onnx is missing.',
      'wrong-bare': 'tokenizer.json is missing.',
      'wrong-length':
        'config.json does not say how long vectors are (hidden_size) and how many tokens are read (max_position_embeddings).',
      'wrong-words': 'tokenizer.json names no type of tokenizer.',
      'wrong-pooling':
        '1_Pooling/config.json requires a pooling other than the first token (cls) or the mean.',
    })
    await expect(open().embed('installed/wrong-empty', ['a'], 'passage', never)).rejects.toThrow(
      'model.onnx is missing.',
    )
    await expect(open().embed('installed/../mean', ['a'], 'passage', never)).rejects.toThrow(
      'there is no folder',
    )
  })

  it('is refused when a file does not match its checksum or its vectors are invalid', {
    timeout: 60_000,
  }, async () => {
    appendFileSync(join(install('changed'), 'model.onnx'), ' ')
    install('other-length', { 'config.json': { ...config, hidden_size: 4 } })
    install('no-numbers', {}, tinyModel(table.map((row) => row.map(() => Number.NaN))))
    install('nonsense', {}, Buffer.from('no model'))
    for (const [name, reason] of [
      ['changed', 'model.onnx does not match SHA256SUMS'],
      ['other-length', 'its vectors have 3 numbers, and config.json says 4'],
      ['no-numbers', 'its trial returned no numbers'],
      ['nonsense', 'This model is not available'],
    ])
      await expect(open().embed(`installed/${name}`, ['a'], 'passage', never)).rejects.toThrow(reason)
  })

  it('is not listed without a folder', async () => {
    expect(await createInstalledEmbeddings(join(folder, 'nowhere')).list()).toEqual([])
  })
})
