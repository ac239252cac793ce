import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '../support/chat.ts'
import { noise, storedBytes } from '../support/large-results.ts'
import { calls, says } from '../support/model-server.ts'
import { playTool } from '../support/probe-tool.ts'

/** Results of 1 MB in one chat; `npm run faults` uses the full count. */
const results = process.env.FAULTS_COUNT ? 200 : 20
const MAX_CONCURRENT = 5
const MB = 1_000_000

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

/** Returns the size of an answer, and its median time in milliseconds. */
async function measure(path: string) {
  const times: number[] = []
  let bytes = 0
  for (let n = 0; n < 9; n += 1) {
    const from = performance.now()
    const answer = await fetch(chat.url + path, { headers: chat.user.headers })
    bytes = (await answer.arrayBuffer()).byteLength
    times.push(performance.now() - from)
  }
  return { bytes, ms: times.sort((a, b) => a - b)[4]! }
}

it(`stores a chat with ${results} results of 1 MB once, and opens it like any other`, {
  timeout: 300_000,
}, async () => {
  const sessionId = await chat.aSession()
  playTool(chat.app, async ({ n }) => ({ doubled: n * 2, text: noise(MB) }))
  const before = await storedBytes(chat.app)
  for (let made = 0; made < results; made += MAX_CONCURRENT) {
    chat.model.reply(
      Array.from({ length: MAX_CONCURRENT }, (_, n) => calls('probe', { n })),
      [says('Done.')],
    )
    const stream = await chat.ask(sessionId, 'Go')
    await stream.ended
    const tools = stream.view()!.blocks.filter((block) => block.type === 'tool')
    expect(tools.filter(({ status, result_ref }) => status === 'complete' && result_ref)).toHaveLength(
      MAX_CONCURRENT,
    )
  }
  const growth = ((await storedBytes(chat.app)) - before) / (results * MB)
  const page = await measure(`/sessions/${sessionId}/active-branch`)
  const init = await measure(`/sessions/${sessionId}/task-stream`)
  console.log(
    `large results: ${results}; growth ${growth.toFixed(3)}; page ${page.bytes} bytes in ${page.ms.toFixed(1)} ms; ` +
      `last reply ${init.bytes} bytes in ${init.ms.toFixed(1)} ms`,
  )
  expect(growth).toBeLessThan(1.2)
  expect(page.bytes).toBeLessThan((results / 200) * 300_000)
  expect(init.bytes).toBeLessThan(20_000)
  expect(page.ms).toBeLessThan(500)
})
