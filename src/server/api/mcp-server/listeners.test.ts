import { expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startChat } from '#tests/chat.ts'

it('stays below the number of listeners at which Node warns of a leak', async () => {
  const chat = await startChat()
  const warnings: string[] = []
  const note = ({ name }: Error) => void warnings.push(name)
  process.on('warning', note)
  const { secret } = await anApiKey(chat.app, chat.user, { scopes: ['chat'] })
  const answer = await fetch(chat.url.replace('/api/v1', '/mcp'), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
  await new Promise((resolve) => setTimeout(resolve, 50))
  process.off('warning', note)
  await chat.close()
  expect(warnings).toEqual([])
})
