import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aMessage, aSession, aUser, type TestUser } from '#tests/builders.ts'
import {
  aClassified,
  aClassifiedConnector,
  aClassifiedDatabase,
  aClassifiedProject,
  aReplyWith,
  classesOf,
  enter,
  restrict,
} from '#tests/classified.ts'
import { type ModelServer, startModelServer } from '#tests/model-server.ts'
import {
  absorbSources,
  copyPathSources,
  copySources,
  insertReplyRun,
  isClassRefusal,
  noteChat,
  noteSources,
  type Source,
  sending,
  sendingAlso,
} from '../../platform/access/classes/classes.ts'

const CONNECTIONS = 20
const ROUNDS = 5
const CARRIERS = 100

let app: TestApp
let model: ModelServer
let company: string
let user: TestUser
let classes: string[]
beforeAll(async () => {
  model = await startModelServer()
  app = await startApp()
  company = await aCompany(app, 'Orsane')
  user = await aUser(app, { role: 'member', companyId: company })
  for (const name of ['Secret', 'Sealed'])
    await sql`insert into data_classes (company_id, name, position) values (${company}, ${name}, ${name === 'Secret' ? 4 : 5})`.execute(
      app.deps.db,
    )
  classes = await classesOf(app, company)
  for (let at = 0; at < CONNECTIONS; at += 1)
    await app.deps.db
      .insertInto('model_connections')
      .values({ provider: `p${at}`, name: `Provider ${at}`, kind: 'compatible', base_url: model.url })
      .execute()
}, 120_000)
afterAll(async () => {
  await app.close()
  await model.close()
})

/** Numbers below `most`, the same in every run of this test. */
function seeded(seed: number) {
  let state = seed
  return (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}
const random = seeded(20_260_101)
const some = <T>(from: readonly T[], most: number): T[] =>
  Array.from({ length: random(most + 1) }, () => from[random(from.length)]!)

/** A thing with the class that it should have, as an index; null for none. */
type Known = { source: Source; class: number | null }
/** Text on its way to a call: the classes it should carry, and how the call is made. */
type Carrier = { way: string; classes: number[]; send: (call: () => Promise<void>) => Promise<void> }

const indexes = () => classes.map((_, at) => at)
const idOf = (at: number | null) => (at === null ? null : (classes[at] ?? null))
const strictest = (...all: (number | null)[]): number | null => {
  const given = all.filter((one) => one !== null)
  return given.length > 0 ? Math.max(...given) : null
}

async function aThing(): Promise<Known> {
  const own = random(4) === 0 ? null : random(classes.length)
  const kind = (['document', 'document', 'document', 'project', 'connector', 'database'] as const)[random(6)]!
  switch (kind) {
    case 'project':
      return { source: { kind, id: await aClassifiedProject(app, user, idOf(own)) }, class: own }
    case 'connector':
      return { source: { kind, id: await aClassifiedConnector(app, user, idOf(own)) }, class: own }
    case 'database':
      return { source: { kind, id: await aClassifiedDatabase(app, idOf(own)) }, class: own }
    default:
      return aDocumentIn(own)
  }
}

/** A document, perhaps in projects, of a connector, or inside of another document. Without any class it has the default one: Internal. */
async function aDocumentIn(own: number | null): Promise<Known> {
  const id = await aClassified(app, user, idOf(own))
  const projects = some(indexes(), 2)
  for (const one of projects) {
    const project = await aClassifiedProject(app, user, idOf(one))
    await sql`insert into workspace_documents (workspace_id, document_id) values (${project}, ${id})`.execute(
      app.deps.db,
    )
  }
  const connector = random(3) === 0 ? random(classes.length) : null
  if (connector !== null)
    await sql`update documents set connector_id = ${await aClassifiedConnector(app, user, idOf(connector))} where id = ${id}`.execute(
      app.deps.db,
    )
  const parent = random(4) === 0 ? random(classes.length) : null
  if (parent !== null)
    await sql`update documents set parent_id = ${await aClassified(app, user, idOf(parent))} where id = ${id}`.execute(
      app.deps.db,
    )
  const given = strictest(own, connector, parent)
  return { source: { kind: 'document', id }, class: strictest(given ?? 1, ...projects) }
}

const sourcesOf = (things: readonly Known[]) => things.map(({ source }) => source)
const carried = (...things: (readonly Known[])[]) => [
  ...new Set(things.flat().flatMap((one) => (one.class === null ? [] : [one.class]))),
]
const within = (runId: string) => (call: () => Promise<void>) => sending({ runId }, call)

const ways: Record<string, (pick: () => Known[]) => Promise<Omit<Carrier, 'way'>>> = {
  'a run': async (pick) => {
    const own = pick()
    const { runId } = await aReplyWith(app, user, { sources: sourcesOf(own) })
    return { classes: carried(own), send: within(runId) }
  },
  'earlier turns': async (pick) => {
    const [first, second, other] = [pick(), pick(), pick()]
    const one = await aReplyWith(app, user, { sources: sourcesOf(first) })
    const { sessionId } = one
    // Another branch, which the call does not send.
    await aReplyWith(app, user, { sessionId, after: one.replyId, sources: sourcesOf(other) })
    const two = await aReplyWith(app, user, { sessionId, after: one.replyId, sources: sourcesOf(second) })
    return { classes: carried(first, second), send: within(two.runId) }
  },
  'a summary of a chat': async (pick) => {
    const own = pick()
    const { replyId } = await aReplyWith(app, user, { sources: sourcesOf(own) })
    return { classes: carried(own), send: (call) => sending({ leafId: replyId }, call) }
  },
  'a subagent': async (pick) => {
    const [of, own, sibling] = [pick(), pick(), pick()]
    const parent = await aReplyWith(app, user, { sources: sourcesOf(of) })
    const child = await aReplyWith(app, user, { parentRunId: parent.runId, sources: sourcesOf(own) })
    await aReplyWith(app, user, { parentRunId: parent.runId, sources: sourcesOf(sibling) })
    return { classes: carried(of, own), send: within(child.runId) }
  },
  'the result of a subagent': async (pick) => {
    const [of, own] = [pick(), pick()]
    const parent = await aReplyWith(app, user, { sources: sourcesOf(of) })
    const child = await aReplyWith(app, user, { parentRunId: parent.runId, sources: sourcesOf(own) })
    await absorbSources(app.deps.db, { from: child.runId, to: parent.runId, position: 2 })
    return { classes: carried(of, own), send: within(parent.runId) }
  },
  'a turn with subagents': async (pick) => {
    const own = pick()
    const parent = await aReplyWith(app, user)
    await aReplyWith(app, user, { parentRunId: parent.runId, sources: sourcesOf(own) })
    const next = await aReplyWith(app, user, { sessionId: parent.sessionId, after: parent.replyId })
    return { classes: carried(own), send: within(next.runId) }
  },
  'a fact': async (pick) => {
    const own = pick()
    const { questionId } = await aReplyWith(app, user, { sources: sourcesOf(own) })
    const fact = await sql<{ id: string }>`insert into facts (user_id, text, words, origin, message_id)
      values (${user.id}, ${questionId}, ${questionId}, 'proposal', ${questionId}) returning id`.execute(
      app.deps.db,
    )
    const other = await aReplyWith(app, user)
    await sql`insert into fact_uses values (${other.replyId}, ${fact.rows[0]?.id}, 0, 'text')`.execute(
      app.deps.db,
    )
    return { classes: carried(own), send: within(other.runId) }
  },
  'a copied chat': async (pick) => {
    const own = pick()
    const from = await aReplyWith(app, user)
    await aReplyWith(app, user, { parentRunId: from.runId, sources: sourcesOf(own) })
    const copy = await aReplyWith(app, user)
    await copySources(app.deps.db, [{ from: from.runId, to: copy.runId }])
    const next = await aReplyWith(app, user, { sessionId: copy.sessionId, after: copy.replyId })
    return { classes: carried(own), send: within(next.runId) }
  },
  'a reply of a comparison': async (pick) => {
    const [of, own, other] = [pick(), pick(), pick()]
    const parent = await aReplyWith(app, user, { sources: sourcesOf(of) })
    const chosen = await aReplyWith(app, user, { parentRunId: parent.runId, sources: sourcesOf(own) })
    await aReplyWith(app, user, { parentRunId: parent.runId, sources: sourcesOf(other) })
    const reply = await aMessage(app, parent.sessionId, { parentId: parent.questionId, role: 'assistant' })
    await insertReplyRun(app.deps.db, reply.id, chosen.runId)
    const next = await aReplyWith(app, user, { sessionId: parent.sessionId, after: reply.id })
    return { classes: carried(of, own), send: within(next.runId) }
  },
  'a copy of a shared chat': async (pick) => {
    const own = pick()
    const from = await aReplyWith(app, user, { sources: sourcesOf(own) })
    const { id: sessionId } = await aSession(app, user)
    const copied = await aMessage(app, sessionId, { role: 'assistant' })
    await copyPathSources(app.deps.db, { leafId: from.replyId, sessionId })
    const next = await aReplyWith(app, user, { sessionId, after: copied.id })
    return { classes: carried(own), send: within(next.runId) }
  },
  'an earlier call of a program': async (pick) => {
    const own = pick()
    const { sessionId } = await aReplyWith(app, user, { sources: sourcesOf(own) })
    const send = (call: () => Promise<void>) =>
      sending({}, async () => {
        await noteChat(app.deps.db, sessionId)
        await call()
      })
    return { classes: carried(own), send }
  },
  'a quoted chat': async (pick) => {
    const own = pick()
    const quoted = await aReplyWith(app, user, { sources: sourcesOf(own) })
    const { runId } = await aReplyWith(app, user, { mentions: [quoted.sessionId] })
    return { classes: carried(own), send: within(runId) }
  },
  'a return to a checkpoint': async (pick) => {
    const [before, after] = [pick(), pick()]
    const origin = await aReplyWith(app, user, { sources: sourcesOf(before) })
    await enter(app, origin.runId, sourcesOf(after.filter((one) => !before.includes(one))), 7)
    const { runId } = await aReplyWith(app, user, { forked: { runId: origin.runId, position: 3 } })
    return { classes: carried(before), send: within(runId) }
  },
  'the project of a chat': async (pick) => {
    const own = pick()
    const project = random(classes.length)
    const { runId, sessionId } = await aReplyWith(app, user, { sources: sourcesOf(own) })
    await sql`update sessions set workspace_id = ${await aClassifiedProject(app, user, idOf(project))} where id = ${sessionId}`.execute(
      app.deps.db,
    )
    return { classes: [...carried(own), project], send: within(runId) }
  },
  'a document that is gone': async () => {
    const gone = await aDocumentIn(random(classes.length))
    const { runId } = await aReplyWith(app, user, { sources: [gone.source] })
    await sql`delete from documents where id = ${gone.source.id}`.execute(app.deps.db)
    return { classes: carried([gone]), send: within(runId) }
  },
  'a reading': async () => {
    const own = await aDocumentIn(random(classes.length))
    const { rows } = await sql<{
      reading_id: string
    }>`select reading_id from documents where id = ${own.source.id}`.execute(app.deps.db)
    const readingIds = rows.map(({ reading_id }) => reading_id)
    return { classes: carried([own]), send: (call) => sending({ readingIds }, call) }
  },
  'what a step reads': async (pick) => {
    const [own, rated] = [pick(), pick()]
    const { runId } = await aReplyWith(app, user)
    const send = (call: () => Promise<void>) =>
      sending({ runId }, async () => {
        await noteSources(app.deps.db, sourcesOf(own))
        await sendingAlso(sourcesOf(rated), call)
      })
    return { classes: carried(own, rated), send }
  },
  'a request': async (pick) => {
    const own = pick()
    const send = (call: () => Promise<void>) =>
      sending({}, async () => {
        await noteSources(app.deps.db, sourcesOf(own))
        await call()
      })
    return { classes: carried(own), send }
  },
}

async function makeCarriers(): Promise<Carrier[]> {
  const things: Known[] = []
  for (let at = 0; at < 60; at += 1) things.push(await aThing())
  const pick = () => some(things, 3)
  const named = Object.entries(ways)
  const made: Carrier[] = []
  for (let at = 0; at < CARRIERS; at += 1) {
    const [way, make] = named[at % named.length]!
    made.push({ way, ...(await make(pick)) })
  }
  return made
}

describe('10,000 pairs of text and provider', () => {
  it('leak nothing and refuse nothing that a provider may receive [GV-01]', {
    timeout: 300_000,
  }, async () => {
    const carriers = await makeCarriers()
    const wrong: string[] = []
    let pairs = 0
    let refused = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const lists = Array.from({ length: CONNECTIONS }, () => indexes().filter(() => random(100) < 60))
      for (const [at, list] of lists.entries())
        await restrict(
          app,
          company,
          `p${at}`,
          list.map(idOf).filter((id) => id !== null),
        )
      model.requests.length = 0
      const all = carriers.flatMap((carrier, number) =>
        lists.map((list, at) => ({ carrier, list, at, mark: `pair ${round}/${number}/${at}.` })),
      )
      const outcomes = new Map<string, boolean>()
      const work = all[Symbol.iterator]()
      const worker = async () => {
        for (const { carrier, at, mark } of work) {
          const call = () =>
            app.deps.models.stream(
              `p${at}/scripted`,
              {
                messages: [{ role: 'user', content: [{ type: 'text', text: mark }] }],
                tools: [],
                tool_choice: 'none',
              },
              AbortSignal.timeout(60_000),
              () => undefined,
            )
          const isSent = await carrier.send(call).then(
            () => true,
            (error) => {
              if (!isClassRefusal(error)) throw error
              return false
            },
          )
          outcomes.set(mark, isSent)
        }
      }
      await Promise.all(Array.from({ length: 12 }, worker))
      const arrived = new Set(
        model.requests.map(({ messages }) => /pair [\d/]+\./.exec(JSON.stringify(messages))?.[0]),
      )
      for (const { carrier, list, mark } of all) {
        const isAllowed = carrier.classes.every((one) => list.includes(one))
        pairs += 1
        if (!isAllowed) refused += 1
        if (arrived.has(mark) !== isAllowed || outcomes.get(mark) !== isAllowed)
          wrong.push(`${carrier.way}: ${carrier.classes} to ${list}, arrived: ${arrived.has(mark)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(pairs).toBe(10_000)
    // Both outcomes are frequent.
    expect(Math.min(refused, pairs - refused)).toBeGreaterThan(2_000)
  })
})
