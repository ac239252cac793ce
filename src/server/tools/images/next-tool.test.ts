import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aPicture, type ImageServer, startImageServer } from '#tests/image-server.ts'

let chat: Chat
let provider: ImageServer
beforeAll(async () => {
  provider = await startImageServer()
  const config = { OPENAI_API_KEY: 'sk-images', OPENAI_BASE_URL: `${provider.url}/v1` }
  chat = await startChat({ app: { config }, user: { balance: 100 } })
  await chat.app.deps.sandbox.probe()
}, 60_000)
afterAll(async () => {
  await chat.close()
  await provider.close()
})

async function execute(tool: string, inputs: object, session_id: string) {
  const { body } = await chat.call('POST', `/tools/${tool}/execute`, { inputs, session_id })
  const read = async () => (await chat.call('GET', `/tool-executions/${body.tool_execution_id}`)).body
  await expect.poll(async () => (await read()).finished_at, { timeout: 30_000 }).not.toBeNull()
  return read()
}
const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``

it('stores files made by a tool with type and size, and passes them to the next tool [XB-07]', async () => {
  const session = await chat.aSession()
  provider.next({ do: 'draw' }, { do: 'draw' }, { do: 'draw' })
  const [image] = (await execute('image_generation', { prompt: 'A boiler house' }, session)).result.images
  expect(image).toMatchObject({ media_type: 'image/png', size: expect.any(Number) })
  await execute('image_generation', { prompt: 'A chimney' }, session)
  // Programs of the chat see the pictures under distinct names; programs of other chats do not.
  const list = js('console.log(files.list().join(" "))')
  expect((await execute('code_interpreter', { request: list }, session)).result.logs).toMatch(
    /image-1\.png image-1 \(2\)\.png|image-1 \(2\)\.png image-1\.png/,
  )
  const other = await execute('code_interpreter', { request: list }, await chat.aSession())
  expect(other.result.logs).not.toContain('image-1')
  // A file made by a program is the reference for an image, by its id.
  const copy = "```python\nimport shutil\nshutil.copy('image-1.png', 'copy.png')\n```"
  const made = await execute('code_interpreter', { request: copy }, session)
  expect(made.result.error).toBeNull()
  const picture = made.result.artifacts[0] ?? made.result.generated_files[0]
  expect(picture).toMatchObject({ name: 'copy.png', media_type: 'image/png' })
  const next = await execute(
    'image_generation',
    { prompt: 'At night', document_ids: [picture.id, image.id] },
    session,
  )
  expect(next.result.images).toMatchObject([{ type: 'media_reference' }])
  expect(provider.requests.at(-1)?.path).toBe('/v1/images/edits')
  expect(provider.requests.at(-1)?.body).toContain(Buffer.from(aPicture(1)).subarray(0, 8).toString('latin1'))
})
