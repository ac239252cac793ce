import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { filesThatSay } from '#tests/every-kind.ts'
import { askLibrary, config } from '../../../../bench/citations.ts'
import type { Chunk } from '../../../shared/knowledge/documents/documents.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ app: { config } })
})
afterAll(() => chat.close())

/** Strips punctuation, because Markdown has marks between the words. */
const plain = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? ''

describe('answers to sixty questions', () => {
  it('cite the passages they quote, and mark every unsupported sentence and number [CX-01, CX-04, CX-09]', async () => {
    expect(await askLibrary(chat, 60)).toEqual({
      ...{ asked: 60, cited: 50, dangling: 0, wrong: 0, unmarked: 0, unseen: 0, falsely: 0 },
    })
  }, 180_000)
})

describe('passages', () => {
  it('have a span that locates their text in the digitized document, for every format [CX-01]', async () => {
    const ada = await aReader(chat.app, chat.url, chat.user)
    for (const [name, bytes] of Object.entries(filesThatSay('The warehouse costs 41 euros').read)) {
      const content = typeof bytes === 'string' ? bytes : new Uint8Array(bytes)
      const { id } = await ada.processed((await ada.upload({ name, content })).body.id)
      const { content: read } = await ada.bytes(`/documents/${id}/files/digitized.md`)
      const { chunks } = (await ada.call('GET', `/documents/${id}/chunks`)).body
      for (const { text, place } of chunks as Chunk[]) {
        const [from = 0, to = 0] = place.span ?? []
        const stands = plain(read.toString('utf8').slice(from, to))
        expect([name, stands]).toEqual([name, expect.stringContaining(plain(text))])
      }
      expect([name, chunks.length]).not.toEqual([name, 0])
    }
  }, 120_000)
})
