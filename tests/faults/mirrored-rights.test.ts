import { afterAll, beforeAll, expect, it } from 'vitest'
import { addSources } from '../../src/server/knowledge/connectors/connectors.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { aUser } from '../support/builders.ts'
import { connect, syncNow } from '../support/connecting.ts'
import { aReader, type Reader } from '../support/documents.ts'
import { aScriptedSource } from '../support/scripted-source.ts'

const [PEOPLE, DOCUMENTS, ROUNDS, ASKERS, CHANGED] = [200, 500, 6, 20, 100]
/** Time in which changed rights must be effective after the sync that read them. */
const EFFECTIVE_MS = 60_000

const scripted = aScriptedSource('scripted', 200)
let app: TestApp
let ada: Reader
let companyId: string
const people: Reader[] = []
beforeAll(async () => {
  addSources([scripted.source])
  app = await startApp({
    config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_LIMIT_REQUESTS: '1000000' },
  })
  const base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  companyId = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  for (let at = 0; at < PEOPLE; at += 1)
    people.push(await aReader(app, base, await aUser(app, { role: 'member', companyId })))
  setRound(0)
}, 300_000)
afterAll(async () => {
  addSources([])
  await app.close()
})

/** Connects the source, and waits until all its documents can be found. */
async function connectAll(): Promise<string> {
  const wish = { source: 'scripted', settings: {}, rights: 'mirrored' }
  const { id } = await connect(ada, companyId, wish)
  const isDone = async () => {
    const { state, read, documents_waiting } = (await ada.call('GET', `/connectors/${id}`)).body
    return state === 'ready' && read === DOCUMENTS && documents_waiting === 0
  }
  await expect.poll(isDone, { timeout: 240_000, interval: 500 }).toBe(true)
  return id
}

const nameOf = (at: number) => `d${String(at).padStart(3, '0')}.txt`
/** The round in which the rights of a document changed last: a fifth of them changes in each. */
const roundOf = (document: number, round: number) => {
  const own = document % (DOCUMENTS / CHANGED)
  return Math.floor((round + own) / (DOCUMENTS / CHANGED))
}
const isAllowed = (person: number, document: number, round: number) =>
  (person * 31 + document * 17 + roundOf(document, round) * 101) % 10 === 0

function setRound(round: number): void {
  for (let at = 0; at < DOCUMENTS; at += 1) {
    const readers = people.flatMap(({ user }, person) =>
      isAllowed(person, at, round) ? [`user:${user.email}`] : [],
    )
    scripted.items.set(nameOf(at), { text: `The ledger ${at} names the amount.`, readers })
  }
}

/** Returns the documents that a person finds by a search, or lists. */
async function seenBy(person: Reader, way: 'list' | 'search'): Promise<string[]> {
  if (way === 'search') {
    const { status, body } = await person.call('POST', '/search_and_rerank/search_and_rerank', {
      ...{ query: 'ledger amount', use_bm25: true, limit: 100 },
    })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.objects.map(({ properties }: { properties: { file_name: string } }) => properties.file_name)
  }
  const { status, body } = await person.call('GET', '/documents?limit=200')
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items.map(({ name }: { name: string }) => name)
}

it('shows 200 people only what the source allows while 20 of them ask and rights change', async () => {
  const connectorId = await connectAll()
  const leaks: string[] = []
  let [stored, wanted, isOver, asked] = [0, 0, false, 0]
  const ask = async (way: 'list' | 'search', first: number) => {
    for (let at = first; !isOver; at += 7) {
      const person = at % PEOPLE
      const from = stored
      const seen = await seenBy(people[person] as Reader, way)
      const to = wanted
      asked += 1
      for (const name of seen) {
        const document = Number(name.slice(1, 4))
        const rounds = Array.from({ length: to - from + 1 }, (_, more) => from + more)
        if (!rounds.some((round) => isAllowed(person, document, round)))
          leaks.push(`${person} saw ${name} in ${from} to ${to}`)
      }
    }
  }
  const askers = Array.from({ length: ASKERS }, (_, at) => ask(at % 4 === 0 ? 'search' : 'list', at * 11))
  const slowest: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    wanted = round
    setRound(round)
    await syncNow(ada, connectorId)
    const synced = Date.now()
    for (const person of [round, round + 50, round + 100, round + 150]) {
      const expected = Array.from({ length: DOCUMENTS }, (_, at) => at)
        .filter((document) => isAllowed(person, document, round))
        .map(nameOf)
      const seen = await seenBy(people[person] as Reader, 'list')
      expect(seen.sort(), `person ${person} in round ${round}`).toEqual(expected)
    }
    slowest.push(Date.now() - synced)
    stored = round
  }
  isOver = true
  await Promise.all(askers)
  console.log(`faults: ${asked} questions, rights effective within ${Math.max(...slowest)} ms of a sync`)
  expect(leaks).toEqual([])
  expect(asked).toBeGreaterThan(200)
  expect(Math.max(...slowest)).toBeLessThan(EFFECTIVE_MS)
}, 300_000)
