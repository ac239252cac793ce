import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { chatgptChat as madeChat } from '#tests/imports/chatgpt-export.ts'
import { openWebuiChat as madeWebuiChat } from '#tests/imports/other-exports.ts'
import { chatgptChat } from './chatgpt.ts'
import type { ForeignChat, Shelf } from './foreign.ts'
import { openWebuiChat } from './open-webui.ts'
import { readElements } from './read-export.ts'

const shelf: Shelf = {
  findById: () => null,
  findDocument: () => null,
  findVersion: () => null,
  findMade: () => null,
}
const BEGIN = '\ue200'

/** Returns the milliseconds of this thread, whatever else the machine does. */
const cpuMs = () => process.threadCpuUsage().user / 1_000

/** Reads a reply of ChatGPT, and measures the milliseconds. */
function readReply(text: string, metadata: Record<string, unknown> = {}) {
  const chat = madeChat({ id: 'c', messages: [{ id: 'q' }, { id: 'a', text, metadata }] })
  const begun = cpuMs()
  const read = chatgptChat.read(chat, shelf) as ForeignChat
  return { reply: read.messages.at(-1), ms: cpuMs() - begun }
}

describe('a reply of ChatGPT', () => {
  it.each([
    ['a million marks that never end', BEGIN.repeat(1_000_000), {}],
    ['a million brackets that never end', '【'.repeat(1_000_000), {}],
    [
      '50,000 citations of a long text',
      'abc '.repeat(500_000),
      {
        content_references: Array.from({ length: 50_000 }, (_, at) => ({
          ...{ matched_text: `abc${at}`, url: `https://example.com/${at}`, title: 'x' },
        })),
      },
    ],
    [
      '50,000 cited pages',
      'Text',
      {
        citations: Array.from({ length: 50_000 }, (_, at) => ({
          metadata: { url: `https://example.com/${at}` },
        })),
      },
    ],
  ])('is read in linear time when it has %s', (_, text, metadata) => {
    expect(readReply(text, metadata).ms).toBeLessThan(1_000)
  })

  it('does not grow without limit when a long address is cited a million times', () => {
    const mark = `${BEGIN}\ue201`
    const items = [{ url: `https://example.com/${'x'.repeat(1_900)}`, title: 'x' }]
    const { reply } = readReply(mark.repeat(1_000_000), {
      content_references: [{ matched_text: mark, items }],
    })
    expect(reply?.text.length).toBeLessThan(1_000_000)
    expect(reply?.sources).toHaveLength(1)
  })

  it('keeps brackets that cite nothing, and drops private marks', () => {
    expect(readReply('See 【1†source】 and 【this】\ue200cite\ue201.').reply?.text).toBe(
      'See 【1†source】 and 【this】.',
    )
  })
})

it('joins 20,000 texts that only tool calls separate in linear time', () => {
  const messages = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [
      `m${at}`,
      {
        ...{ parentId: at === 0 ? null : `m${at - 1}`, role: at === 0 ? 'user' : 'assistant' },
        content: 'x'.repeat(500),
      },
    ]),
  )
  const begun = cpuMs()
  const chat = openWebuiChat.read(madeWebuiChat('c', messages, 'm19999'), shelf) as ForeignChat
  expect(chat.messages).toHaveLength(2)
  expect(chat.messages[1]?.text.length).toBe(19_999 * 500 + 19_998 * 2)
  expect(cpuMs() - begun).toBeLessThan(1_000)
})

it('lets the event loop turn while one chunk has 200,000 elements', async () => {
  const chunk = Buffer.from(`[${'1,'.repeat(200_000)}1]`)
  const read = async () => Readable.from([chunk], { objectMode: true })
  const opened = { sources: ['x'], members: new Map(), read, close: () => undefined }
  let [turns, isOver] = [0, false]
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  let elements = 0
  for await (const _ of readElements(opened, ['x'])) elements += 1
  isOver = true
  expect(elements).toBe(200_001)
  expect(turns).toBeGreaterThan(5)
})
