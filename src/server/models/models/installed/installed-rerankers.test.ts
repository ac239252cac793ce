import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { installModel, tinyModel } from '#tests/tiny-onnx.ts'
import { createInstalledRerankers } from './installed-rerankers.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-rerankers-'))
const opened: ReturnType<typeof createInstalledRerankers>[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const open = () => {
  const rerankers = createInstalledRerankers(folder)
  opened.push(rerankers)
  return rerankers
}
const never = new AbortController().signal

/** Returns a model whose output is the mean worth of the tokens. */
const aModel = (worth: number[]) =>
  tinyModel(
    worth.map((one) => [one]),
    { mean: true, output: 'logits' },
  )
const install = (name: string, model = aModel([0, 0, 0, 0, 6, -6])) => installModel(join(folder, name), model)

describe('an installed reranker', () => {
  it('has the name of its folder and rates texts by the question', {
    timeout: 60_000,
  }, async () => {
    install('bge_text_reranker')
    expect(await open().names()).toEqual(['bge_text_reranker'])
    const texts = ['soup', 'the rent', 'rent '.repeat(2_000), 'soup '.repeat(9), '', 'rent']
    const rates = await open().rate('bge_text_reranker', 'rent', texts, never)
    expect(rates).toHaveLength(6)
    expect(rates.toSorted((a, b) => b - a)[0]).toBe(rates[2])
    expect(rates[3]).toBe(Math.min(...rates))
    expect(rates[1]).toBeGreaterThan(rates[0] ?? 1)
    for (const rate of rates) expect(rate >= 0 && rate <= 1).toBe(true)
  })

  it('is refused when a file does not match its checksum or its trial fails', {
    timeout: 60_000,
  }, async () => {
    const place = install('changed')
    appendFileSync(join(place, 'model.onnx'), ' ')
    await expect(open().rate('changed', 'a', ['b'], never)).rejects.toThrow(
      'This model is not available: model.onnx does not match SHA256SUMS',
    )
    install('broken', aModel([Number.NaN, Number.NaN, Number.NaN, Number.NaN, 0, 0]))
    await expect(open().rate('broken', 'a', ['b'], never)).rejects.toThrow('its trial returned no number')
    install('nonsense', Buffer.from('no model'))
    await expect(open().rate('nonsense', 'a', ['b'], never)).rejects.toThrow('This model is not available')
    mkdirSync(join(folder, 'empty'))
    await expect(open().rate('empty', 'a', ['b'], never)).rejects.toThrow('SHA256SUMS')
  })

  it('is not listed without a folder', async () => {
    expect(await createInstalledRerankers(join(folder, 'nowhere')).names()).toEqual([])
  })
})
