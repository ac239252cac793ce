import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askLibrary, config } from '../../../bench/citations.ts'
import { type Chat, startChat } from '../../../tests/support/chat.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ app: { config } })
})
afterAll(() => chat.close())

describe('sixty questions to a library', () => {
  it('are answered with markers that name what they quote, whatever a model does with them', async () => {
    expect(await askLibrary(chat, 60)).toEqual({
      ...{ asked: 60, cited: 48, dangling: 0, wrong: 0, unmarked: 0, falsely: 0 },
    })
  }, 180_000)
})
