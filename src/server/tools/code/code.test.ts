import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
  await chat.app.deps.sandbox.probe()
}, 60_000)
afterAll(() => chat.close())

/** Executes the tool for a chat and waits for it to end. */
async function execute(request: string, session_id: string | null = null, more = {}) {
  const inputs = { request, ...more }
  const started = await chat.call('POST', '/tools/code_interpreter/execute', { inputs, session_id })
  const path = `/tool-executions/${started.body.tool_execution_id}`
  await expect
    .poll(async () => (await chat.call('GET', path)).body.finished_at, { timeout: 60_000, interval: 200 })
    .not.toBeNull()
  return (await chat.call('GET', path)).body
}
const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``
const bytes = async (path: string, headers: Record<string, string> = chat.user.headers) => {
  const answer = await fetch(new URL(path, chat.url), { headers })
  return { status: answer.status, type: answer.headers.get('content-disposition'), text: await answer.text() }
}

it('runs real programs and stores the files they make under addresses [SV-59, TO-25, BL-11]', async () => {
  const done = await execute(js('files.write("out/table.csv", "a;b\\n1;2"); console.log(6 * 7)'))
  expect(done).toMatchObject({ status: 'complete', error: null, result: { error: null, artifacts: [] } })
  expect(done.result.logs).toMatch(/^Round 1\/1: [\s\S]*Output:\n {4}42\nStatus: successful$/)
  const [file] = done.result.generated_files
  expect(file).toMatchObject({ type: 'media_reference', name: 'table.csv', asset_filename: 'out/table.csv' })
  expect(file).toMatchObject({
    ...{ url: `/api/v1/assets/tools/${file.id}/table.csv`, download_url: `${file.url}?download=true` },
  })
  expect(await bytes(file.url)).toMatchObject({ status: 200, text: 'a;b\n1;2' })
  expect((await bytes(file.download_url)).type).toMatch(/^attachment/)
  expect((await bytes(file.url, {})).status).toBe(401)
  const events = done.events.flatMap(({ phase, status }: { phase?: string; status?: string }) =>
    phase ? [`${phase} ${status}`] : [],
  )
  expect(events).toContain('CODE_EXECUTION completed')
})

it('preserves the working folder of a chat between calls, and refuses the next call if a file is lost [XB-06]', async () => {
  const session = await chat.aSession()
  await execute(js('files.write("kept.txt", "one")'), session)
  const second = await execute(
    js('files.write("kept.txt", files.read("kept.txt") + " two"); console.log(files.list())'),
    session,
  )
  expect(second.result.logs).toContain('kept.txt')
  const [file] = second.result.generated_files
  expect((await bytes(file.url)).text).toBe('one two')
  const other = await execute(js('console.log(files.list().length)'), await chat.aSession())
  expect(other.result.logs).toContain('    0')
  await chat.app.deps.files.remove(`media/${file.id}/file`)
  const third = await execute(js('console.log("ran")'), session)
  expect(third).toMatchObject({
    status: 'error',
    error: expect.stringMatching(/“kept\.txt”.*cannot be restored\. Nothing was run\./),
  })
})

it("lets the chat's model plan, write and fix programs, and bills it with the steps", async () => {
  const session = await chat.aSession()
  const answers = ['- Add the numbers', js('nothing.there'), js('console.log(19 + 23)')]
  chat.model.reply(...answers.map((text) => [says(text)]))
  const { user, app } = chat
  const before = await app.deps.db
    .selectFrom('ledger_entries')
    .select('id')
    .where('user_id', '=', user.id)
    .execute()
  const done = await execute('Add 19 and 23', session)
  expect(done.result).toMatchObject({ plan: ['Add the numbers'], error: null })
  expect(done.result.logs).toMatch(/ReferenceError[\s\S]*not successful[\s\S]*42\nStatus: successful$/)
  const after = await app.deps.db
    .selectFrom('ledger_entries')
    .select('id')
    .where('user_id', '=', user.id)
    .execute()
  expect(after.length - before.length).toBe(3)
})

it('plans, writes and runs real programs in a closed box, and returns the images and files they made [CI-26]', async () => {
  const ready = await chat.app.deps.sandbox.probe()
  expect(ready.map(({ language, ok }) => `${language} ${ok}`)).toEqual(['python true', 'javascript true'])
  const drawing = [
    '```python',
    'import base64, os, socket, sys',
    "open('dot.png', 'wb').write(base64.b64decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='))",
    'print(sum(range(1000)))',
    'try:',
    "    socket.create_connection(('127.0.0.1', 80), 1)",
    'except OSError:',
    "    print('no network')",
    '```',
  ].join('\n')
  const answers = [
    '- Draw a dot\n- Write the sum',
    drawing,
    js('files.write("sum.txt", String(19 + 23)); console.log("written")'),
  ]
  chat.model.reply(...answers.map((text) => [says(text)]))
  const done = await execute('Draw a dot, then write a sum', await chat.aSession())
  expect(done.result).toMatchObject({ plan: ['Draw a dot', 'Write the sum'], error: null })
  expect(done.result.logs).toMatch(
    /499500\n {4}no network\nStatus: successful[\s\S]*written\nStatus: successful$/,
  )
  const [image] = done.result.artifacts
  expect(image).toMatchObject({ media_type: 'image/png', name: 'dot.png' })
  expect((await bytes(image.url)).text).toContain('PNG')
  const [file] = done.result.generated_files
  expect((await bytes(file.url)).text).toBe('42')
})
