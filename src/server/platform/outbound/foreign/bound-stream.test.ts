import { describe, expect, it } from 'vitest'
import { boundEvents, boundJson, type Rewrite } from './bound-stream.ts'

const bounds = { bytes: 10_000, values: 100, depth: 10 }
const asIs: Rewrite = (bytes) => bytes

async function pass(chunks: readonly string[], through: TransformStream<Uint8Array, Uint8Array>) {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(Buffer.from(chunk)))
      controller.close()
    },
  })
  const given: string[] = []
  const decoder = new TextDecoder()
  for await (const part of stream.pipeThrough(through)) given.push(decoder.decode(part))
  return given.filter((one) => one !== '')
}

const deep = '['.repeat(11)
const many = '0,'.repeat(101)

describe('boundJson', () => {
  it('emits a JSON body whole, after the rewrite', async () => {
    const shout: Rewrite = (bytes) => Buffer.from(Buffer.from(bytes).toString().toUpperCase())
    expect(await pass(['{"a":', '[1,"é', '"]}'], boundJson(bounds, shout))).toEqual(['{"A":[1,"É"]}'])
  })

  it.each([
    ['is too deep', [deep], 'The answer is too deeply nested.'],
    ['is too deep in pieces', deep.split(''), 'The answer is too deeply nested.'],
    ['has too many values', ['[', many], 'The answer has too many values.'],
    ['is too long', ['"', 'x'.repeat(10_000)], 'The answer is too large.'],
    ['hides its depth behind an escaped mark', ['"\\', '""', deep], 'The answer is too deeply nested.'],
  ])('aborts when the body %s', async (_, chunks, sentence) => {
    await expect(pass(chunks, boundJson(bounds, asIs))).rejects.toThrow(sentence)
  })

  it('ignores punctuation inside strings', async () => {
    const text = JSON.stringify(`${deep}"${many}\\`)
    expect(await pass([...text], boundJson(bounds, asIs))).toEqual([text])
  })
})

describe('boundEvents', () => {
  it.each(['\n', '\r\n', '\r'])('emits each event whole, however it is split into chunks', async (line) => {
    const event = (n: number) => `: x${line}id: ${n}${line}data: {"n":${n}}${line}${line}`
    const text = Array.from({ length: 120 }, (_, n) => event(n)).join('')
    for (const size of [1, 7, 100_000]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
        text.slice(n * size, (n + 1) * size),
      )
      const given = await pass(chunks, boundEvents(bounds, asIs))
      expect(given.join('')).toBe(text)
      for (const part of given.filter((one) => one.trim() !== ''))
        expect(part.trim()).toMatch(/^: x[\s\S]*\}$/)
    }
  })

  it.each([
    ['is too deep', `data: ${deep}\n\n`, 'The answer is too deeply nested.'],
    ['is too deep over lines', deep.replaceAll('[', 'data: [\n'), 'The answer is too deeply nested.'],
    ['has too many values', `data:[${many}`, 'The answer has too many values.'],
    ['is too long', `id: ${'x'.repeat(10_000)}`, 'The answer is too large.'],
    ['is too deep behind a mark of byte order', `\ufeffdata: ${deep}`, 'The answer is too deeply nested.'],
    [
      'hides its depth behind a mark in a comment',
      `: "\nid: "\ndata: ${deep}`,
      'The answer is too deeply nested.',
    ],
  ])('aborts when an event %s', async (_, text, sentence) => {
    for (const chunks of [[text], text.split('')])
      await expect(pass(chunks, boundEvents(bounds, asIs))).rejects.toThrow(sentence)
  })

  it('applies the limits to each event separately', async () => {
    const event = `data: [${'0,'.repeat(60)}0]\r\n\r\n`
    expect((await pass([event.repeat(50)], boundEvents(bounds, asIs))).join('')).toBe(event.repeat(50))
  })

  it('reads a flood of empty lines in linear time', async () => {
    const began = performance.now()
    await pass(['\n'.repeat(300_000)], boundEvents(bounds, asIs))
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
