import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { calls, type ModelRequest, says } from '#tests/model-server.ts'

let chat: Chat
let ada: Reader
let lease: string
let menu: string
let long: string
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  ada = await aReader(chat.app, chat.url, chat.user)
  lease = await read('lease.txt', LEASE)
  menu = await read('menu.txt', MENU)
  const filler = Array.from({ length: 60 }, (_, at) => `Clause ${at} about gardens. `.repeat(14).trim())
  long = await read(
    'long.txt',
    [...filler, HARBOUR, ...filler.map((one) => one.replace('Clause', 'Article'))].join('\n\n'),
  )
})
afterAll(() => chat.close())
beforeEach(() => {
  chat.model.requests.length = 0
  chat.model.forget()
})

const LEASE = 'The rent of the warehouse in Lyon is 4 200 euros a month.'
const MENU = 'On Tuesday the canteen serves soup with leeks.'
const HARBOUR = 'The harbour master of Sète is called Odile Marchand.'

async function read(name: string, content: string): Promise<string> {
  const { body } = await ada.upload({ name, content })
  await ada.processed(body.id)
  return body.id
}

const told = (request: ModelRequest | undefined) => JSON.stringify(request?.messages)
/** Returns the number under which the model sees the passage with this text. */
function numberOf(request: ModelRequest, text: string): string {
  const [before = '', behind] = told(request).split(text)
  return (
    (behind !== undefined &&
      before
        .match(/\[\d+\] /g)
        ?.at(-1)
        ?.slice(1, -2)) ||
    'none'
  )
}

async function ask(sessionId: string, body: string | Record<string, unknown>) {
  const stream = await chat.ask(sessionId, body)
  await stream.ended
  const view = stream.view()!
  const text = view.blocks.findLast((block) => block.type === 'text')
  const steps = view.blocks.flatMap((block) => (block.type === 'step' ? [block] : []))
  return { stream, view, steps, text: text?.type === 'text' ? text : undefined }
}

async function aChat(documents: string[], metadata: Record<string, unknown> = {}, modelName?: string) {
  const id = await chat.aSession({ metadata, ...(modelName && { modelName }) })
  for (const one of documents) await chat.call('POST', `/sessions/${id}/documents/${one}`)
  return id
}

describe('a chat with documents', () => {
  it.each(['single_turn', 'multi_turn'])('is answered from them with citations as %s', async (agent_type) => {
    const id = await aChat([lease, menu], { agent_type })
    chat.model.reply((request) => [
      says(
        'The rent is 4 200 euros [',
        numberOf(request, LEASE),
        '], the warehouse [7] costs',
        ' <cit',
        'ation chunk="99999999-0000-4000-8000-000000000000">[1]</citation>. It is 77 [',
        `${numberOf(request, LEASE)}].`,
      ),
    ])
    const { view, text, steps } = await ask(id, 'What is the rent?')
    const [source] = text?.sources ?? []
    const tag = `<citation chunk="${source?.id}">[1]</citation>`
    expect(view.content).toBe(`The rent is 4 200 euros ${tag}, the warehouse costs. It is 77 ${tag}.`)
    expect(text?.sources).toMatchObject([
      {
        ...{ number: 1, title: 'lease.txt', url: null },
        passage: {
          document_id: lease,
          document_name: 'lease.txt',
          page_number: null,
          place: { span: [0, 57] },
        },
      },
    ])
    expect(text?.doubts).toMatchObject([{ kind: 'numbers', numbers: ['77'] }])
    const doubt = text?.doubts?.[0]
    expect(view.content.slice(doubt?.at, (doubt?.at ?? 0) + (doubt?.length ?? 0))).toBe(`It is 77 ${tag}.`)
    expect(steps).toMatchObject([
      { number: 0, single_step: true, completed: true, description: 'Read in full: lease.txt, menu.txt' },
    ])
    const stored = await chat.call('GET', `/sessions/${id}/active-branch`)
    expect(stored.body.active_branch[1].content).toBe(view.content)
    chat.model.requests.length = 0
    chat.model.reply([says('Yes.')])
    await ask(id, 'Sure?')
    expect(told(chat.model.requests[0])).toContain('The rent is 4 200 euros, the warehouse costs. It is 77.')
    expect(told(chat.model.requests[0])).not.toContain(source?.id)
  })

  it('adds no model call in a chat without documents', async () => {
    const id = await aChat([])
    chat.model.reply([says('As [1] said.')])
    const { view, steps } = await ask(id, 'Hello')
    expect([view.content, steps, chat.model.requests.length]).toEqual(['As [1] said.', [], 1])
    expect(told(chat.model.requests[0])).not.toContain('<documents>')
  })

  it('searches long documents with a standalone question, which is shown [CX-06, CX-08]', async () => {
    const id = await aChat([long])
    chat.model.reply((request) => [says(`Odile Marchand [${numberOf(request, HARBOUR)}].`)])
    const first = await ask(id, 'Who is the harbour master of Sète?')
    expect(first.view.content).toMatch(/^Odile Marchand <citation/)
    expect(first.steps[0]?.description).toBe('Searched 1 document for “Who is the harbour master of Sète?”')
    expect(chat.model.requests).toHaveLength(1)
    chat.model.requests.length = 0
    chat.model.reply([says('{"question": "Who is the harbour master of Sète, once more?"}')], (request) => [
      says(`She is [${numberOf(request, HARBOUR)}].`),
    ])
    const { view, steps } = await ask(id, 'And who is that again?')
    expect(steps[0]?.description).toBe(
      'Searched 1 document for “Who is the harbour master of Sète, once more?”',
    )
    expect(findCitations(view.content)).toHaveLength(1)
    expect(told(chat.model.requests[0])).toContain('And who is that again?')
    const { body } = await chat.call('GET', '/users/me/billing?limit=2')
    expect(body.items.map(({ reason }: { reason: string }) => reason)).toEqual(['reply', 'documents'])
  })

  it("says in the user's language which documents do not contain the answer [CX-05]", async () => {
    const id = await aChat([menu])
    chat.model.reply([says('NOT_IN', '_DOCUMENTS')])
    const { view } = await ask(id, 'Who is the king?')
    expect(view.content).toBe('The documents do not contain an answer to this. Searched: “menu.txt”.')
  })

  it('names documents that are still being read or could not be read', async () => {
    const id = await aChat([menu, lease, long])
    const state = (document: string, status: 'in_progress' | 'failed' | 'completed') =>
      chat.app.deps.db.updateTable('documents').set({ status }).where('id', '=', document).execute()
    await state(lease, 'in_progress')
    await state(long, 'failed')
    try {
      chat.model.reply([says('Leeks.')], [says('NOT_IN_DOCUMENTS')])
      expect((await ask(id, 'Soup?')).steps[0]?.description).toBe(
        'Read in full: menu.txt · Still being read: lease.txt · Could not be read: long.txt',
      )
      expect((await ask(id, 'Rent?')).view.content).toBe(
        'The documents do not contain an answer to this. Searched: “menu.txt”. Still being read: “lease.txt”. Could not be read: “long.txt”.',
      )
      await state(menu, 'in_progress')
      chat.model.reply([says('NOT_IN_DOCUMENTS')])
      const { steps, view } = await ask(id, 'And now?')
      expect(steps[0]?.description).toBe(
        'Still being read: lease.txt, menu.txt · Could not be read: long.txt',
      )
      expect(view.content).toContain('Still being read: “lease.txt”, “menu.txt”.')
    } finally {
      for (const one of [menu, lease, long]) await state(one, 'completed')
    }
  })

  it('uses linked workspaces until they are unlinked [WS-09]', async () => {
    const { body: space } = await chat.call('POST', '/workspaces', { name: 'Kitchen' })
    await chat.call('POST', `/documents/workspace/${space.id}/documents`, { document_ids: [menu] })
    const id = await aChat([])
    await chat.call('POST', `/sessions/${id}/workspaces/${space.id}`)
    chat.model.reply((request) => [says(`Leeks [${numberOf(request, MENU)}].`)])
    const { view, text } = await ask(id, 'Soup?')
    expect(view.content).toBe(`Leeks <citation chunk="${text?.sources?.[0]?.id}">[1]</citation>.`)
    await chat.call('DELETE', `/sessions/${id}/workspaces/${space.id}`)
    chat.model.requests.length = 0
    await ask(id, 'And now?')
    expect(told(chat.model.requests[0])).not.toContain('leeks.')
  })

  it("uses its assistant's settings, tools and files [AS-07]", async () => {
    const { body: assistant } = await chat.call('POST', '/assistants', {
      ...{ name: 'Cook', system_prompt: 'You are a cook.', documents: [menu], tools: ['calculator'] },
      ...{ temperature: 0.3, model_name: 'compatible/scripted', agent_type: 'single_turn' },
    })
    const { body: session } = await chat.call('POST', '/sessions', { assistant_id: assistant.id })
    chat.model.reply((request) => [says(`Leeks [${numberOf(request, MENU)}].`)])
    const { view } = await ask(session.id, 'Soup?')
    expect(view.content).toMatch(/^Leeks <citation chunk="[^"]+">\[1\]<\/citation>\.$/)
    const [request] = chat.model.requests
    expect(request).toMatchObject({ temperature: 0.3 })
    expect(told(request)).toContain('You are a cook.')
    expect(JSON.stringify(request?.tools ?? [])).not.toContain('document_search')
    expect([view.agent_type, view.model_name, view.assistant?.name]).toEqual([
      ...['single_turn', 'compatible/scripted', 'Cook'],
    ])
  })

  it('cites passages that a search tool found in the same run', async () => {
    const id = await aChat([])
    chat.model.reply(
      [calls('document_search', { query: 'rent of the warehouse' })],
      (request) => [says(`4 200 euros [${numberOf(request, LEASE)}].`)],
      (request) => [says(`In my words: 4 200 euros [${numberOf(request, LEASE)}].`)],
    )
    const { view, text } = await ask(id, 'Rent?')
    const [tag] = findCitations(view.content)
    expect(view.content).toMatch(/^In my words: 4 200 euros <citation/)
    expect(text?.sources).toMatchObject([{ id: tag?.chunk_id, number: 1, passage: { document_id: lease } }])
    const result = JSON.parse(
      String(chat.model.requests[2]?.messages.findLast(({ role }) => role === 'tool')?.content),
    )
    expect(result.response).toMatch(/^4 200 euros \[\d\]\.$/)
  })

  it('numbers each passage once across the steps of a plan and its answer', async () => {
    const id = await aChat([lease, menu], { agent_type: 'plan_and_act' })
    const cite = (text: string, words: string) => (request: ModelRequest) => [
      says(`${words} [${numberOf(request, text)}].`),
    ]
    chat.model.reply(
      [says('{"steps": [{"description": "Find the soup"}, {"description": "Find the rent"}]}')],
      ...[cite(MENU, 'Leeks'), cite(LEASE, '4 200'), cite(LEASE, 'It costs 4 200')],
    )
    const { view, text } = await ask(id, 'Soup and rent?')
    const numbers = new Map(findCitations(view.content).map(({ chunk_id, number }) => [chunk_id, number]))
    expect([...numbers.values()]).toEqual([1, 2])
    expect(text?.text.trim()).toMatch(/^It costs 4 200 <citation chunk="[^"]+">\[2\]<\/citation>\.$/)
    expect(text?.sources?.map(({ id, number }) => [id, number])).toEqual([...numbers])
  })

  it('cites passages that delegated assistants found', async () => {
    const id = await aChat([lease], { agent_type: 'orchestrator' })
    chat.model.reply(
      [says('{"steps": [{"description": "Find the rent", "assistant": "General Assistant", "after": []}]}')],
      [says('{"steps": [{"description": "Find the rent"}]}')],
    )
    chat.model.always((request) => {
      const known = numberOf(request, LEASE)
      return [says(known === 'none' ? 'Nothing.' : `It is 4 200 [${known}].`)]
    })
    const { view, text, steps } = await ask(id, 'Rent?')
    expect(view.status).toBe('completed')
    expect(text?.text).toMatch(/^It is 4 200 <citation chunk="[^"]+">\[1\]<\/citation>\.$/)
    expect(JSON.stringify(steps)).not.toContain('citation chunk')
  })

  it('neither sends nor cites passages withdrawn since', async () => {
    const theirs = await aReader(chat.app, chat.url)
    const { body } = await theirs.upload({ name: 'theirs.txt', content: 'The code of the safe is 741.' })
    await theirs.processed(body.id)
    const { db } = chat.app.deps
    const own = (user_id: string) =>
      db.updateTable('documents').set({ user_id }).where('id', '=', body.id).execute()
    await own(chat.user.id)
    const id = await aChat([body.id, menu])
    const multiply = calls('calculator', { a: 1, b: 2, operation: 'multiply' })
    let number = ''
    chat.model.reply(
      (request) => {
        number = numberOf(request, 'The code of the safe is 741.')
        return [says(`The code is 741 [${number}].`), multiply]
      },
      (request) => [
        says(told(request).includes('code of the safe is 741') ? 'Told' : 'Withheld', ` [${number}].`),
      ],
    )
    const stream = await chat.ask(id, 'Code?')
    await expect.poll(() => number).not.toBe('')
    await own(theirs.user.id)
    await stream.ended
    expect(stream.view()?.content).toContain('741 <citation')
    chat.model.requests.length = 0
    chat.model.reply((request) => [
      says(told(request).includes('code of the safe') ? 'Told.' : 'Withheld [1] [2].'),
    ])
    const { view } = await ask(id, 'Again?')
    expect(view.content).toMatch(/^Withheld <citation chunk="[^"]+">\[1\]<\/citation>\.$/)
  })

  it('hides markers in lists, search results and the branch map', async () => {
    const id = await aChat([menu])
    chat.model.reply((request) => [
      says(`Leeks [${numberOf(request, MENU)}] with xylophones [${numberOf(request, MENU)}].`),
    ])
    await ask(id, 'Soup?')
    const shown = await Promise.all(
      [
        '/sessions?limit=5',
        '/sessions?q=xylophones',
        `/sessions/${id}/tree`,
        `/sessions/${id}/tree/search?q=xylophones`,
      ].map((path) => chat.call('GET', path)),
    )
    for (const { status, body } of shown) {
      expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('citation')])
    }
    expect(JSON.stringify(shown[0]?.body)).toContain('Leeks with xylophones.')
  })
})

describe('the built-in model', () => {
  const offline = 'atrium/offline'
  it.each([
    ['What is the rent of the warehouse?', LEASE],
    ['Quel est le loyer (rent) de warehouse à Lyon ?', LEASE],
    ['What does the canteen serve?', MENU],
  ])('answers %j from documents with quoted sentences', async (question, sentence) => {
    const id = await aChat([lease, menu], {}, offline)
    const { view, text } = await ask(id, question)
    expect(view.content).toBe(`${sentence} <citation chunk="${text?.sources?.[0]?.id}">[1]</citation>`)
    expect(text?.doubts).toBeUndefined()
  })

  it('says what the documents lack and answers the rest without them', async () => {
    const id = await aChat([menu], {}, offline)
    expect((await ask(id, 'Who is the king of Norway?')).view.content).toContain('do not contain an answer')
    expect((await ask(id, 'What is 21 * 2?')).view.content).toContain('42')
  })

  it('says in the language of the question that the documents lack it', async () => {
    const id = await aChat([menu], {}, offline)
    const { view } = await ask(id, 'Qui est le roi de la Norvège ?')
    expect(view.content).toMatch(/^Les documents ne contiennent pas de réponse/)
  })

  it('takes neither small talk nor the time from documents, and subtracts no years', async () => {
    const id = await aChat([menu], {}, offline)
    expect((await ask(id, 'Thanks, bye!')).view.content).toBe('You are welcome. Goodbye!')
    expect((await ask(id, 'What time is it in Tokyo?')).view.content).toContain('Asia/Tokyo')
    expect((await ask(id, 'What happened in 1914-1918?')).view.content).toContain('do not contain an answer')
  })

  it.each([
    ['What do my documents say about the warehouse?', LEASE],
    ['Search my documents for the canteen.', MENU],
    ['Que disent mes documents sur warehouse Lyon ?', LEASE],
    ['Cherche canteen dans mes documents', MENU],
  ])('calls the tool for %j', async (question, sentence) => {
    const id = await aChat([], {}, offline)
    const { view } = await ask(id, question)
    expect(view.blocks.find((block) => block.type === 'tool')).toMatchObject({
      ...{ tool_id: 'document_search', status: 'complete' },
    })
    expect(view.content).toContain(`${sentence} <citation chunk="`)
  })
})
