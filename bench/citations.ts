import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../src/server/platform/db/db.ts'
import { createLog } from '../src/server/platform/log.ts'
import { findCitations, withoutCitations } from '../src/shared/platform/citations/citation-tags.ts'
import { type Chat, startChat } from '../tests/support/chat.ts'
import { aReader } from '../tests/support/documents.ts'
import { type ModelRequest, says } from '../tests/support/model-server.ts'
import { atMost } from './measure/targets.ts'

const QUESTIONS = 500
const TOWNS = ['Lyon', 'Brest', 'Lille', 'Metz', 'Nice', 'Dijon', 'Tours', 'Reims', 'Nîmes', 'Caen']
const THINGS = [
  'warehouse',
  'orchard',
  'bakery',
  'garage',
  'library',
  'harbour',
  'theatre',
  'stadium',
  'factory',
  'school',
]
const WAYS = [
  'quotes',
  'splits',
  'invents a marker',
  'cites nothing',
  'invents a number',
  'claims something else',
] as const
type Way = (typeof WAYS)[number]

/**
 * Asks questions to a library with a scripted model that quotes passages, splits markers over deltas, invents markers,
 * cites nothing, invents numbers or cites unrelated passages. Half go to the route, half to the tool.
 *
 * npm run bench -- citations [questions]
 */
export async function run([count = String(QUESTIONS)]: string[]): Promise<object> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-citations-'))
  const postgres = await startPostgres({ dataDir, log: createLog('warn') })
  const chat = await startChat({ app: { address: postgres.address, config } })
  try {
    const found = await askLibrary(chat, Number(count))
    return {
      ...found,
      load: { average: loadavg()[0], cores: cpus().length },
      targets: [
        atMost('markers shown that name nothing', found.dangling, 0, ''),
        atMost('markers of a wrong passage', found.wrong, 0, ''),
        atMost('invented numbers that are not marked', found.unmarked, 0, ''),
        atMost('unsupported sentences that are not marked', found.unseen, 0, ''),
        atMost('quoted sentences that are marked', found.falsely, 0, ''),
      ],
    }
  } finally {
    await chat.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const config = { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' }

/** Asks `count` questions and counts the errors in the answers. */
export async function askLibrary(chat: Chat, count: number) {
  await fillLibrary(chat)
  const session = await chat.aSession({ metadata: { agent_type: 'single_turn' } })
  const found = { asked: 0, cited: 0, dangling: 0, wrong: 0, unmarked: 0, unseen: 0, falsely: 0 }
  for (let at = 0; at < count; at += 1) {
    const way = WAYS[at % WAYS.length] ?? 'quotes'
    const script = aScript(way, at)
    chat.model.reply(script.answer)
    const answer = await ask(chat, session, at)
    found.asked += 1
    judge(found, way, answer, script.quoted())
  }
  return found
}

async function fillLibrary(chat: Chat): Promise<void> {
  const ada = await aReader(chat.app, chat.url, chat.user)
  for (const [at, town] of TOWNS.entries()) {
    const content = THINGS.map(
      (thing, n) =>
        `# The ${thing}\n\nThe ${thing} in ${town} costs ${(at + 1) * 1_000 + n * 37} euros each month.`,
    ).join('\n\n')
    const { body } = await ada.upload({ name: `${town}.md`, content })
    await ada.processed(body.id)
  }
}

type Shown = { text: string; texts: ReadonlyMap<string, string>; doubted: ReadonlySet<string> }

/** Sends every second question to the tool in a chat, whose result matches the route's. */
async function ask(chat: Chat, session: string, at: number): Promise<Shown> {
  const query = `What does the ${THINGS[at % 10]} in ${TOWNS[Math.floor(at / 10) % 10]} cost?`
  const isByRoute = at % 2 === 0
  const { body } = isByRoute
    ? await chat.call('POST', '/rag/generate', { query, model: 'compatible/scripted' })
    : await executed(chat, session, query)
  const sources: { chunk_id: string; text?: string }[] = body.sources
  return {
    text: isByRoute ? body.answer : body.response,
    texts: await textsOf(chat, sources),
    doubted: new Set(body.doubts.map(({ kind }: { kind: string }) => kind)),
  }
}

/** Returns the passages from a route's answer, or requests those that a tool names. */
async function textsOf(chat: Chat, sources: readonly { chunk_id: string; text?: string }[]) {
  const missing = sources.filter(({ text }) => text === undefined).map(({ chunk_id }) => chunk_id)
  const told =
    missing.length === 0
      ? []
      : (await chat.call('POST', '/rag/passages', { chunk_ids: missing })).body.passages
  const asked = new Map<string, string>(
    told.map((one: { chunk_id: string; text_preview: string }) => [one.chunk_id, one.text_preview]),
  )
  return new Map(sources.map(({ chunk_id, text }) => [chunk_id, text ?? asked.get(chunk_id) ?? '']))
}

async function executed(chat: Chat, session_id: string, query: string) {
  const begun = await chat.call('POST', '/tools/document_search/execute', { inputs: { query }, session_id })
  for (;;) {
    const { body } = await chat.call('GET', `/tool-executions/${begun.body.tool_execution_id}`)
    if (body.status === 'complete') return { body: body.result }
    if (body.status === 'error') throw new Error(body.error)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Returns a scripted model that answers in the given way from one of its passages. */
function aScript(way: Way, at: number) {
  let sentence = ''
  const answer = (request: ModelRequest) => {
    const passages = [
      ...String(request.messages.at(-1)?.content).matchAll(/^\[(\d+)\] ([^\n]+(?:\n+[^[<\n][^\n]*)*)/gm),
    ]
    const [, number = '1', text = ''] = passages[at % passages.length] ?? []
    sentence = text.split('\n').at(-1)?.trim() ?? ''
    const cited = `${sentence.replace(/\.$/, '')} [${number}].`
    switch (way) {
      case 'quotes':
        return [says(cited)]
      case 'splits':
        return [says(...pieces(cited, 1 + (at % 5)))]
      case 'invents a marker':
        return [
          says(
            ...pieces(
              `${cited} It is so [${passages.length + 3}], [^99] and 【77†x】<citation chunk="0">[1]</citation>.`,
              3,
            ),
          ),
        ]
      case 'cites nothing':
        return [says(sentence)]
      case 'invents a number':
        return [says(`${sentence.replace(/\d+/, '987654')} [${number}]`)]
      case 'claims something else':
        return [says(`${CLAIMS[at % CLAIMS.length]} [${number}].`)]
    }
  }
  return { answer, quoted: () => sentence }
}

/** Claims that no passage supports. */
const CLAIMS = [
  'Pets are forbidden inside the whole building',
  'The landlord repainted every wall before winter',
  'Nobody answered the letters of the tenants',
]

const pieces = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

type Counts = Record<'cited' | 'dangling' | 'wrong' | 'unmarked' | 'unseen' | 'falsely', number>

function judge(counts: Counts, way: Way, { text, texts, doubted }: Shown, sentence: string): void {
  const citations = findCitations(text)
  counts.cited += citations.length
  counts.dangling += citations.filter(({ chunk_id }) => !texts.has(chunk_id)).length
  if (/[[\]【】<>]|citation/.test(withoutCitations(text))) counts.dangling += 1
  const wanted = way === 'cites nothing' ? 0 : 1
  const isOther = way === 'claims something else'
  if (!isOther)
    counts.wrong += citations.filter(({ chunk_id }) => !texts.get(chunk_id)?.includes(sentence)).length
  counts.wrong += Math.abs(citations.length - wanted)
  if (way === 'invents a number' && !doubted.has('numbers')) counts.unmarked += 1
  if (isOther && !doubted.has('unsupported')) counts.unseen += 1
  if (way !== 'invents a number' && doubted.has('numbers')) counts.falsely += 1
  if (!isOther && doubted.has('unsupported')) counts.falsely += 1
}
