import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'
import { type MadeWeb, startMadeWeb } from '#tests/made-web.ts'
import { type ModelRequest, says } from '#tests/model-server.ts'
import { goBack, paidSteps, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'

let web: MadeWeb
let chat: Chat
const settings = (more: Record<string, string> = {}) => ({
  ...{
    SEARXNG_URL: `${web.url}/searxng`,
    ATRIUM_WEB_PRIVATE: web.url,
    ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
  },
  ...{ ATRIUM_LIMIT_WEB_SECONDS: '30', ATRIUM_WEB_CACHE_HOURS: '0', ...more },
})
beforeAll(async () => {
  web = await startMadeWeb()
  chat = await startChat({ app: { config: settings() } })
})
afterAll(async () => {
  await chat.close()
  await web.close()
})
beforeEach(() => {
  web.asked.length = 0
  web.has({
    '/depth': { title: 'Depth of the harbour', content: page('The harbour of Brest is 17 metres deep.') },
    '/owner': { title: 'Owner of the harbour', content: page('The harbour of Brest belongs to the region.') },
  })
})

const page = (sentence: string) => `<p>${`${sentence} Ships come and go all day. `.repeat(6)}</p>`
const DEPTH = 'How deep is the harbour?'
const OWNER = 'Who owns the harbour?'
const textOf = (request: ModelRequest) => JSON.stringify(request.messages)
const numberOf = (request: ModelRequest, text: string) =>
  [...(textOf(request).split(text)[0] ?? '').matchAll(/\[(\d+)\] /g)].at(-1)?.[1]

/** A model that plans two questions, answers each from its pages and writes a report. */
function script(
  plan: unknown[] = [DEPTH, OWNER],
  report = 'It is 17 metres deep [1] and belongs to the region [2]. It is 99 metres wide [9] [2].',
) {
  return (request: ModelRequest) => {
    if (request.response_format) return [says(JSON.stringify({ steps: plan }))]
    const text = textOf(request)
    if (text.includes('The research on the message is done')) return [says(report)]
    return text.includes(`"${OWNER}`)
      ? [says(`It belongs to the region [${numberOf(request, 'belongs to the region')}].`)]
      : [says(`It is 17 metres deep [${numberOf(request, 'is 17 metres deep')}].`)]
  }
}

async function begin(one: Chat = chat, content = 'Tell me all about the harbour') {
  const id = await one.aSession({ metadata: { agent_type: 'deep_research' } })
  const stream = await one.ask(id, content)
  await stream.ended
  return { id, stream, view: stream.view()! }
}
async function answer(one: Chat, id: string, checkpoint_name: string, input: string | null) {
  const body = { checkpoint_name, input, input_type: input === null ? 'skipped' : 'text' }
  expect((await one.call('POST', `/sessions/${id}/provide-input`, body)).status).toBe(200)
}
/** Returns the reply when its run is over. */
async function over(one: Chat, runId: string) {
  const stateOf = async () => (await readRun(one.app, runId)).run.state
  await expect.poll(stateOf, { timeout: 30_000 }).toMatch(/completed|failed/)
  return (await readRun(one.app, runId)).reply
}

const visits = (path: string) => web.asked.filter((one) => one.path === path).length
const searches = () => visits('/searxng/search')
const titled = (title: string, path: string, number: number) =>
  `<websource url="${web.addressOf(path)}" title="${title}">[${number}]</websource>`
const reportOf = (requests: ModelRequest[]) =>
  textOf(requests.findLast((one) => textOf(one).includes('The research on the message is done'))!)

/** Plans a research and approves the plan. */
async function work(one: Chat = chat, lines?: string) {
  const { id, view } = await begin(one)
  const asked = view.blocks.find((block) => block.type === 'input_required')
  const plan = asked?.type === 'input_required' ? (asked.fields?.[0]?.value ?? '') : ''
  await answer(one, id, 'waiting_for_input_plan', lines ?? plan)
  return { id, runId: view.run_id, reply: await over(one, view.run_id) }
}

describe('deep research', () => {
  it('shows a plan with its budget, searches concurrently and writes a cited report with evidence [XB-14]', async () => {
    chat.model.always(script())
    const { id, view } = await begin()
    expect(view.blocks.find(({ type }) => type === 'input_required')).toMatchObject({
      prompt: expect.stringMatching(/at most 12 searches, 20 minutes and \$5/),
      fields: [{ name: 'questions', type: 'text', value: `${DEPTH}\n${OWNER}` }],
    })
    // No search starts before the approval.
    expect(web.asked).toEqual([])
    await answer(chat, id, 'waiting_for_input_plan', `${DEPTH}\n${OWNER}`)
    const { content, blocks } = await over(chat, view.run_id)
    const [depth, owner] = [
      titled('Depth of the harbour', '/depth', 1),
      titled('Owner of the harbour', '/owner', 2),
    ]
    expect(content).toBe(
      [
        `It is 17 metres deep ${depth} and belongs to the region ${owner}. It is 99 metres wide ${owner}.`,
        ...['', '## What was found, and where', '', '| Question | Finding | Source |', '| --- | --- | --- |'],
        `| ${DEPTH} | It is 17 metres deep. | ${depth} |`,
        `| ${OWNER} | It belongs to the region. | ${owner} |`,
      ].join('\n'),
    )
    const steps = blocks.filter(({ type }) => type === 'step')
    expect(steps).toMatchObject([
      { number: 1, description: DEPTH, completed: true },
      { number: 2, description: OWNER, completed: true },
    ])
    const tools = blocks.flatMap((block) =>
      block.type === 'tool' ? [[block.tool_id, block.step, block.status]] : [],
    )
    expect(tools).toEqual([
      ['web_search', 1, 'complete'],
      ['web_search', 2, 'complete'],
    ])
    const text = blocks.findLast(({ type }) => type === 'text')
    expect(text).toMatchObject({
      sources: [
        { number: 1, url: web.addressOf('/depth') },
        { number: 2, url: web.addressOf('/owner') },
      ],
    })
    // The report is checked against the findings: one of its sentences has no support.
    const doubts = text?.type === 'text' ? (text.doubts ?? []) : []
    expect(new Set(doubts.map(({ at }) => content.slice(at, at + 21)))).toEqual(
      new Set(['It is 99 metres wide ']),
    )
    expect(doubts).toContainEqual(expect.objectContaining({ kind: 'numbers', numbers: ['99'] }))
    // The report writer gets no tools, because pages are third-party text.
    expect(chat.model.requests.at(-1)?.tools ?? []).toEqual([])
  })

  it('uses the plan as edited by the user [XB-14]', async () => {
    chat.model.always(script())
    const { reply } = await work(chat, `  2. ${OWNER}\n\n- Is it old?\n${OWNER}`)
    const steps = reply.blocks.flatMap((block) => (block.type === 'step' ? [block.description] : []))
    expect(steps).toEqual([OWNER, 'Is it old?'])
  })

  it("searches the chat's documents besides the web and cites both in one report [XB-14]", async () => {
    chat.model.always(script([{ description: DEPTH, where: 'both' }], 'Deep [1], as the pilot says [2].'))
    const reader = await aReader(chat.app, chat.url, chat.user)
    const words = 'The pilot writes: the harbour is 17 metres deep at low tide.'
    const { body: pilot } = await reader.upload({ name: 'pilot.txt', content: words })
    await reader.processed(pilot.id)
    const id = await chat.aSession({ metadata: { agent_type: 'deep_research' } })
    await chat.call('POST', `/sessions/${id}/documents/${pilot.id}`)
    const stream = await chat.ask(id, 'Tell me all about the harbour')
    await stream.ended
    const view = stream.view()!
    await answer(chat, id, 'waiting_for_input_plan', DEPTH)
    const { content, blocks } = await over(chat, view.run_id)
    expect(blocks.flatMap((block) => (block.type === 'tool' ? [block.tool_id] : []))).toEqual([
      'web_search',
      'document_search',
    ])
    expect(content).toMatch(
      /^Deep <websource [^>]*>\[1\]<\/websource>, as the pilot says <citation chunk="[^"]+">\[2\]<\/citation>\./,
    )
    expect(content).toMatch(/\| It is 17 metres deep\. \| <websource [^|]*<citation/)
  })

  it('stops searching at its limits of searches, time and money, and names what is left [XB-14]', async () => {
    const budgets: [Record<string, string>, string][] = [
      [{ ATRIUM_LIMIT_RESEARCH_SEARCHES: '2' }, 'all searches were used'],
      [{ ATRIUM_LIMIT_RESEARCH_MINUTES: '1' }, 'the time was over'],
      [{ ATRIUM_LIMIT_RESEARCH_DOLLARS: '1' }, 'the money was used up'],
    ]
    for (const [budget, words] of budgets) {
      let now = Date.now()
      const one = await startChat({ app: { config: settings(budget), clock: { now: () => new Date(now) } } })
      web.asked.length = 0
      const late = { hasSpent: false }
      one.model.always((request) => {
        const isAnswer =
          !request.response_format && !textOf(request).includes('The research on the message is done')
        if (isAnswer && words.includes('time')) now += 61_000
        if (isAnswer && words.includes('money')) late.hasSpent = true
        return script()(request)
      })
      const { id, view } = await begin(one)
      if (words.includes('money')) {
        const { db } = one.app.deps
        await db.updateTable('ledger_entries').set({ amount: -1 }).where('run_id', '=', view.run_id).execute()
      }
      await answer(one, id, 'waiting_for_input_plan', [DEPTH, OWNER, 'Is it old?', 'Is it new?'].join('\n'))
      const { content } = await over(one, view.run_id)
      const made = searches()
      expect(made, words).toBe(words.includes('money') ? 0 : words.includes('time') ? 3 : 2)
      const told = made === 0 ? content : reportOf(one.model.requests)
      expect(told, words).toContain(words)
      await one.close()
    }
  }, 90_000)

  it('repeats one question when the user returns to the end of the searches [XB-14]', async () => {
    chat.model.always(script())
    const { id, reply } = await work()
    expect(searches()).toBe(2)
    const stream = await openStream(`${chat.url}/sessions/${id}/navigate-to-checkpoint`, {
      ...{ method: 'POST', headers: chat.user.headers },
      body: { checkpoint_name: 'after_step1', message_id: reply.id },
    })
    await stream.ended
    const again = stream.view()!
    expect(again.blocks.findLast(({ type }) => type === 'input_required')).toMatchObject({
      prompt: expect.stringContaining(`1. ${DEPTH}\n2. ${OWNER}`),
      skippable: true,
    })
    expect(searches()).toBe(2)
    web.has({
      '/depth': { title: 'Depth of the harbour', content: page('Since May the harbour is 19 metres deep.') },
    })
    chat.model.always((request) =>
      textOf(request).includes('How deep since May?') &&
      !textOf(request).includes('The research on the message')
        ? [says(`It is 19 metres deep [${numberOf(request, 'is 19 metres deep')}].`)]
        : script([], 'It is 19 metres deep [1].')(request),
    )
    await answer(chat, id, 'waiting_for_input_again_3', '1: How deep since May?')
    const { content } = await over(chat, again.run_id)
    expect(searches()).toBe(3)
    expect(content).toContain('| How deep since May? | It is 19 metres deep. |')
    expect(content).toContain(`| ${OWNER} | It belongs to the region. |`)
    expect(content).not.toContain('17 metres')
  })

  it('resumes after a loss at any position: reads no page twice and writes one report [XB-14]', async () => {
    chat.model.always(script())
    const { runId, reply } = await work()
    const journal = async () => (await readRun(chat.app, runId)).records
    const from = (await journal()).findIndex(({ key }) => key === 'begun')
    const { length } = await journal()
    expect(length - from).toBeGreaterThan(15)
    const paid = await paidSteps(chat, runId)
    for (let kept = from + 1; kept < length; kept += 2) {
      // Concurrent work is recorded in a different order each time.
      const keys = (await journal()).slice(0, kept).map(({ key }) => key)
      const unread = [1, 2].filter((n) => !keys.includes(`step${n}/tool:search:${n}/web_search/read`))
      web.asked.length = 0
      await goBack(chat, runId, kept)
      const after = await resume(chat, runId)
      expect(after.reply.content, `from record ${kept}`).toBe(reply.content)
      expect(visits('/depth'), `from record ${kept}`).toBe(unread.length)
      expect(await paidSteps(chat, runId)).toEqual(paid)
    }
  }, 120_000)

  it('fails with the reason of its searches when none succeeded', async () => {
    const one = await startChat({ app: { config: settings({ WIKIPEDIA_URL: `${web.url}/nowhere` }) } })
    one.model.always(script())
    const { id, view } = await begin(one)
    web.fail('searxng', 500)
    await answer(one, id, 'waiting_for_input_plan', `${DEPTH}\n${OWNER}`)
    const { status, blocks } = await over(one, view.run_id)
    web.fail('searxng', 200)
    expect(status).toBe('error')
    expect(JSON.stringify(blocks)).toContain('No search engine answered')
    expect(blocks.filter(({ type }) => type === 'step')).toMatchObject([{ failed: true }, { failed: true }])
    await one.close()
  })

  it("takes a simple path with the built-in model, in the user's language [XB-14]", async () => {
    web.has({
      '/port': {
        title: 'Port',
        content: `<p>${'Le port de Brest est profond de 17 mètres. '.repeat(8)}</p>`,
      },
    })
    const id = await chat.aSession({ metadata: { agent_type: 'deep_research' }, modelName: 'atrium/offline' })
    const stream = await chat.ask(id, 'Quelle est la profondeur du port de Brest ?')
    await stream.ended
    const view = stream.view()!
    await answer(chat, id, 'waiting_for_input_plan', 'Quelle est la profondeur du port de Brest ?')
    const { content } = await over(chat, view.run_id)
    // Its page contains the sentence eight times, which counts once.
    expect(content.match(/\| Le port de Brest est profond/g)).toHaveLength(1)
    expect(content).toMatch(
      /^Le port de Brest est profond de 17 mètres\. ?<websource [^>]*title="Port">\[1\]/,
    )
  })

  it('reports when neither search may be used', async () => {
    const id = await chat.aSession({
      metadata: { agent_type: 'deep_research', session_tools: ['calculator'] },
    })
    chat.model.always(script())
    const stream = await chat.ask(id, 'Tell me')
    await stream.ended
    const { reply } = await readRun(chat.app, stream.view()!.run_id)
    expect(reply.status).toBe('error')
    expect(JSON.stringify(reply.blocks)).toContain('Deep research needs the web search')
  })
})
