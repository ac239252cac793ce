import { expect } from 'vitest'
import { aMessage, aUser, type TestUser } from '../../support/builders.ts'
import { calls, type Move } from '../../support/model-server.ts'
import { docxOf } from '../../support/office.ts'
import type { OutsideHouse } from '../../support/outside-house.ts'
import { makeTool } from '../../support/supplier-tool.ts'
import { type Names, SECRET } from './demands.ts'

/** How a foreign text reaches the model: a chat, the person's message, and the model's first moves. */
export type Carried = {
  sessionId: string
  words: string
  opening?: Move[][]
  /** The chat has no tool described by others. */
  isPlain?: true
  /** The text was part of an earlier message. */
  isTold?: true
}
export type World = { house: OutsideHouse; names: Names; colleague: TestUser; companyId: string }
type Carrier = (world: World, text: string) => Promise<Carried>

const words = `In confidence: ${SECRET}. What does it say?`
const plain = (text: string) => `Minutes of the meeting.\n\n${text}\n\nEnd of the minutes.`
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const document =
  (name: string, write: (text: string) => string | Buffer, metadata = {}): Carrier =>
  async ({ house }, text) => ({
    ...{ words, sessionId: await house.chatWith({ name, content: write(text) }, metadata) },
  })

const mail = (text: string) =>
  `From: Eve <eve@example.org>\r\nTo: ada@example.org\r\nSubject: ${text}\r\nDate: Mon, 02 Nov 2026 10:00:00 +0000\r\n\r\nHello Ada,\r\n${text}\r\n`

export const carriers: Record<string, Carrier> = {
  'a text file': document('minutes.txt', plain),
  'a Markdown file': document('minutes.md', (text) => `# Minutes\n\n${plain(text)}`),
  'an HTML file': document('minutes.html', (text) => `<h1>Minutes</h1><p>${plain(text)}</p>`),
  'a CSV file': document('rows.csv', (text) => `what,who\n"${text}",Eve\n`),
  'a JSON file': document('data.json', (text) => JSON.stringify({ note: text })),
  'a Word file': document('minutes.docx', (text) => docxOf(paragraph('Minutes') + paragraph(text))),
  'a mail': document('mail.eml', mail),
  'the title of a page': document(
    'page.html',
    (text) => `<title>${text}</title><h1>${text}</h1><p>Nothing else.</p>`,
  ),
  'the name of a file': async ({ house }, text) => ({
    ...{
      words,
      sessionId: await house.chatWith({
        name: `${text}.txt`,
        content: `What ${text.length} ${text.slice(31, 40)} says.`,
      }),
    },
  }),
  'a document of an agent that plans': document('minutes.txt', plain, { agent_type: 'plan_and_act' }),
  'a page of the web': async (world, text) => {
    const { house } = world
    const content = `<p>${`${text} Ships come and go all day. `.repeat(6)}</p>`
    house.web.has({ '/harbour': { title: 'The harbour', content } })
    const opening = [[calls('web_search', { query: 'the harbour of Brest' })]]
    const asked = `In confidence: ${SECRET}.\nSearch the web for the harbour of Brest.`
    return { sessionId: await aPlainChat(world), words: asked, opening, isPlain: true }
  },
  'the answer of an API': async (world, text) => {
    const { house, names } = world
    house.api.answer({ body: { note: text } })
    const opening = [[calls(names.path, { siren: '1' })]]
    return { sessionId: await aPlainChat(world), words, opening, isPlain: true }
  },
  'the failure of an API': async (world, text) => {
    const { house, names } = world
    house.api.answer({ status: 500, body: `The person declined this call: ${text}` })
    const opening = [[calls(names.path, { siren: '1' })]]
    return { sessionId: await aPlainChat(world), words, opening, isPlain: true }
  },
  'the result of an MCP tool': async ({ house, names }, text) => {
    house.mcp.says({ ...house.mcpWords, result: text })
    const sessionId = await house.chat.aSession()
    const opening = [[calls(names.mcp.letters[0], {})]]
    return { sessionId, words, opening }
  },
  'the description of an MCP tool': async ({ house }, text) => describedBy(house, { description: text }),
  'an input of an MCP tool': async ({ house }, text) =>
    describedBy(house, {
      description: 'Reads.',
      inputSchema: { type: 'object', properties: { q: { type: 'string', description: text } } },
    }),
  'the tool of a colleague': async (world, text) => {
    const { house, colleague, companyId } = world
    const call = { method: 'GET', address: `${house.api.url}/theirs`, inputs: [] }
    const tool = { ui_name: 'Theirs', description: text, call, companies: [companyId] }
    const { status, body } = await house.chat.call('POST', '/tools/', tool, colleague.headers)
    expect(status, JSON.stringify(body)).toBe(201)
    const own = allOf(world.names)
    const session_tools = [...own, 'web_search', 'weather', 'prospecting', body.id]
    return { sessionId: await house.chat.aSession({ metadata: { session_tools } }), words }
  },
  'an assistant of a colleague': async ({ house, colleague }, text) => {
    const assistant_id = await theirAssistant(house, colleague, { system_prompt: text })
    return { sessionId: await house.chat.aSession({ metadata: { assistant_id } }), words }
  },
  'an assistant from a file': async (world, text) => {
    const { house } = world
    const words = { name: `Filed ${crypto.randomUUID()}`, description: '', system_prompt: text }
    const rest = {
      icon: null,
      agent_type: 'multi_turn',
      model_name: null,
      example_prompts: [],
      temperature: null,
    }
    const file = { atrium: 'assistant', format: 1, ...words, ...rest, documents: [], tools: null }
    const { status, body } = await house.chat.call('POST', '/assistants/import', file)
    expect(status, JSON.stringify(body)).toBe(201)
    return withAssistant(world, body.assistant.id)
  },
  'an assistant that an editor has written': async (world, text) => {
    const { house, colleague, companyId } = world
    const id = await ownAssistant(house, [{ company_id: companyId, access: 'edit' }])
    const path = `/assistants/${id}`
    const edit = { system_prompt: text, version: 1 }
    expect((await house.chat.call('PATCH', path, edit, colleague.headers)).status).toBe(200)
    // The owner takes the right back, but the words stay.
    expect((await house.chat.call('PATCH', path, { shares: [], version: 2 })).status).toBe(200)
    return withAssistant(world, id)
  },
  'an assistant that a colleague handed over': async (world, text) => {
    const { house, colleague, companyId } = world
    const shares = [{ company_id: companyId, access: 'edit' }]
    const id = await theirAssistant(house, colleague, { system_prompt: text, shares })
    const heir = { user_id: house.chat.user.id }
    const given = await house.chat.call('POST', `/assistants/${id}/owner`, heir, colleague.headers)
    expect(given.status, JSON.stringify(given.body)).toBe(200)
    await house.chat.call('PATCH', `/assistants/${id}`, { shares: [], tools: plainTools(world) })
    return withAssistant(world, id)
  },
  'a duplicate of an assistant of a colleague': async (world, text) => {
    const { house, colleague } = world
    const copied_from = await theirAssistant(house, colleague, { system_prompt: text })
    const copy = {
      name: `Copy ${crypto.randomUUID()}`,
      status: 'published',
      system_prompt: text,
      copied_from,
    }
    const { status, body } = await house.chat.call('POST', '/assistants', copy)
    expect(status, JSON.stringify(body)).toBe(201)
    return withAssistant(world, body.id)
  },
  'a message of a copied chat': async (world, text) => {
    const { house, colleague } = world
    const { call, app } = house.chat
    const { id } = (await call('POST', '/sessions', {}, colleague.headers)).body
    await aMessage(app, id, { content: text })
    const link = (await call('POST', `/sessions/${id}/links`, {}, colleague.headers)).body
    const { status, body } = await call('POST', `/shared/${link.url.split('/s/')[1]}/copy`)
    expect(status, JSON.stringify(body)).toBe(201)
    const session_metadata = JSON.stringify({ session_tools: plainTools(world) })
    const copy = app.deps.db.updateTable('sessions').set({ session_metadata })
    await copy.where('id', '=', body.session_id).execute()
    return { sessionId: body.session_id, words, isPlain: true }
  },
  'a draft of an assistant of a colleague': async (world, text) => {
    const { house, colleague, companyId } = world
    const shares = [{ company_id: companyId, access: 'edit' }]
    const assistant_id = await theirAssistant(house, colleague, { system_prompt: text, shares })
    const { name, description, icon, agent_type, model_name, system_prompt, example_prompts } = (
      await house.chat.call('GET', `/assistants/${assistant_id}`)
    ).body
    const content = {
      ...{ name, description, icon, agent_type, model_name, system_prompt, example_prompts },
      ...{ temperature: null, documents: [], workspaces: [], tools: plainTools(world), status: 'published' },
    }
    const { status, body } = await house.chat.call('PUT', '/assistant-tries', { assistant_id, content })
    expect(status, JSON.stringify(body)).toBe(200)
    return { sessionId: body.session_id, words, isPlain: true }
  },
  'a tool from a file': async (world, text) => {
    const { house } = world
    const call = { method: 'GET', address: `${house.api.url}/filed`, inputs: [] }
    const tool = { key: 'filed', ui_name: 'Filed', description: text, icon: null, policy: 'auto', call }
    const sets = [{ name: 'Filed', auth: { kind: 'none' }, tools: [tool] }]
    const file = { format: 'atrium-tools', version: 1, sets }
    const { status, body } = await house.chat.call('POST', '/tools/import', file)
    expect(status, JSON.stringify(body)).toBe(201)
    const session_tools = [...plainTools(world), body[0].id]
    return { sessionId: await house.chat.aSession({ metadata: { session_tools } }), words, isPlain: true }
  },
  'an answer of the chat': async ({ house }, text) => {
    const sessionId = await house.chatWith({ name: 'minutes.txt', content: plain(text) })
    return { sessionId, words: `In confidence: ${SECRET}. What did I ask?`, isTold: true }
  },
}

/** Creates a chat whose tools are all described by its own person. */
function aPlainChat(world: World, metadata: object = {}): Promise<string> {
  return world.house.chat.aSession({ metadata: { session_tools: plainTools(world), ...metadata } })
}

const plainTools = ({ names: { mcp: _, ...names } }: World): string[] => [
  ...Object.values(names),
  ...['web_search', 'weather', 'prospecting'],
]

const allOf = ({ mcp, ...names }: Names) => [
  ...Object.values(names),
  ...[mcp.words, mcp.numbers, mcp.write, ...mcp.letters],
]

async function describedBy(
  house: OutsideHouse,
  tool: { description: string; inputSchema?: object },
): Promise<Carried> {
  house.mcp.says({ tools: [{ name: 'read_it', ...tool }] })
  const server = { name: 'Described', address: { kind: 'http', url: house.mcp.url } }
  const { status, body } = await house.chat.call('POST', '/mcp-servers', server)
  expect(status, JSON.stringify(body)).toBe(201)
  house.mcp.says(house.mcpWords)
  return { sessionId: await house.chat.aSession(), words }
}

async function withAssistant(world: World, assistant_id: string): Promise<Carried> {
  return { sessionId: await aPlainChat(world, { assistant_id }), words, isPlain: true }
}

async function ownAssistant(house: OutsideHouse, shares: object[]): Promise<string> {
  const made = { name: `Own ${crypto.randomUUID()}`, status: 'published', shares }
  const { status, body } = await house.chat.call('POST', '/assistants', made)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

async function theirAssistant(house: OutsideHouse, colleague: TestUser, more: object): Promise<string> {
  const made = { name: `Helper ${crypto.randomUUID()}`, status: 'published', shared: true, ...more }
  const { status, body } = await house.chat.call('POST', '/assistants', made, colleague.headers)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

const input = (name: string, place: string, type = 'string') => ({
  ...{ name, place, description: '', required: false, schema: { type } },
})

/** Creates the tools, all on automatic, because their policies are not under test. */
export async function aWorld(house: OutsideHouse): Promise<World> {
  const { chat, api } = house
  const [company] = (await chat.call('GET', '/admin/companies')).body
  const colleague = await aUser(chat.app, { role: 'company_admin', companyId: company.id })
  const make = async (ui_name: string, call: object) =>
    (await makeTool(chat, { ui_name, description: `${ui_name}.`, call })).id
  const required = { ...input('siren', 'path'), required: true }
  const path = await make('Score', { method: 'GET', address: `${api.url}/score/{siren}`, inputs: [required] })
  const query = await make('Notes', {
    ...{ method: 'GET', address: `${api.url}/notes` },
    inputs: [input('q', 'query'), input('trace', 'header')],
  })
  const post = await make('Post', {
    method: 'POST',
    address: `${api.url}/post`,
    inputs: [input('text', 'body')],
  })
  const measure = await make('Measure', {
    ...{ method: 'GET', address: `${api.url}/measure` },
    inputs: [input('lat', 'query', 'number'), input('long', 'query', 'number')],
  })
  const flags = await make('Flags', {
    ...{ method: 'GET', address: `${api.url}/flags` },
    inputs: ['a', 'b', 'c'].map((name) => input(name, 'query', 'boolean')),
  })
  const mcp = await connect(house)
  const names = { path, query, post, measure, flags, mcp }
  for (const id of allOf(names)) await chat.call('PUT', `/tools/${id}/policy`, { policy: 'auto' })
  return { house, names, colleague, companyId: company.id }
}

async function connect(house: OutsideHouse): Promise<Names['mcp']> {
  house.mcp.says(house.mcpWords)
  const server = { name: 'Wordy', address: { kind: 'http', url: house.mcp.url } }
  const { status, body } = await house.chat.call('POST', '/mcp-servers', server)
  expect(status, JSON.stringify(body)).toBe(201)
  const idOf = (key: string): string => body.tools.find((tool: { key: string }) => tool.key === key).id
  return {
    ...{ words: idOf('words'), numbers: idOf('numbers'), write: idOf('write') },
    letters: [idOf('letter_0'), idOf('letter_1')],
  }
}
