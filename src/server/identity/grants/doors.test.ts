import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { decideOn } from '#tests/grants.ts'
import { builtInIds } from '../../../shared/chat/assistants/assistants.ts'
import { decide, type Grant, type ThingKind } from '../../../shared/identity/grants/decide.ts'

const modelId = 'compatible/scripted'
const assistantId = builtInIds[0]!
/** One thing of every kind; each feature is represented by one of its routes. */
const things: { kind: ThingKind; id: string }[] = [
  { kind: 'model', id: modelId },
  { kind: 'tool', id: 'calculator' },
  { kind: 'tool', id: 'document_search' },
  { kind: 'assistant', id: assistantId },
  ...[
    'api_keys',
    'webhooks',
    'own_tools',
    'mcp_servers',
    'links',
    'exports',
    'deep_research',
    'temporary_chats',
  ].map((id) => ({
    ...{ kind: 'feature' as const, id },
  })),
]

let chat: Chat
let [first, second] = ['', '']
let groupId = ''
let superAdmin: TestUser
let people: TestUser[] = []
const chats = new Map<string, string>()
const keys = new Map<string, { authorization: string }>()
beforeAll(async () => {
  chat = await startChat()
  const { app } = chat
  first = await aCompany(app, 'Atelier')
  second = await aCompany(app, 'Forge')
  superAdmin = await aUser(app, { role: 'super_admin' })
  people = [
    await aUser(app),
    await aUser(app, { role: 'member', companyId: first }),
    await aUser(app, { role: 'company_admin', companyId: first }),
    await aUser(app, { role: 'member', companyId: second }),
  ]
  // A user of both companies, and in a group.
  const [, , , both] = people
  await app.deps.db
    .insertInto('company_members')
    .values({ user_id: both!.id, company_id: first, role: 'member' })
    .execute()
  groupId = (await as(superAdmin, 'POST', '/admin/groups', { company_id: first, name: 'Legal' })).body.id
  await as(superAdmin, 'PUT', `/admin/groups/${groupId}/people/${both!.id}`)
  for (const person of people) {
    chats.set(person.id, (await as(person, 'POST', '/sessions', {})).body.id)
    keys.set(person.id, (await anApiKey(app, person, { scopes: ['chat', 'assistants'] })).headers)
  }
})
afterAll(() => chat.close())

const as = (who: TestUser, method: string, path: string, body?: unknown) =>
  chat.call(method, path, body, who.headers)
const wire = async (who: TestUser, method: string, path: string, body?: unknown) => {
  const headers = { ...keys.get(who.id)!, 'content-type': 'application/json' }
  const url = chat.url.replace('/api/v1', '/v1') + path
  const answer = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

type Answer = { status: number; body: unknown }
/** Returns whether a request was allowed. Fails on anything but success or a grant refusal. */
function isOpen({ status, body }: Answer, failure: RegExp = /^$/): boolean {
  const { code } = ((body as { error?: object }).error ?? body ?? {}) as { code?: string }
  if (status === 403 && code === 'not_granted') return false
  if (status < 400 || failure.test(String(code))) return true
  throw new Error(`${status} ${JSON.stringify(body)}`)
}
const has = ({ body }: { body: unknown }, id: string) => JSON.stringify(body).includes(`"${id}"`)

/** Tries every way to use a thing as one user. */
async function doorsOf(
  who: TestUser,
  { kind, id }: { kind: ThingKind; id: string },
): Promise<Record<string, boolean>> {
  const session = chats.get(who.id)!
  const page = await as(superAdmin, 'GET', `/admin/users/${who.id}/grants?kind=${kind}&limit=100`)
  const explained = page.body.items.find((one: { id: string }) => one.id === id)
  const found: Record<string, boolean> = { page: explained.may }
  const ask = (wish: object) => as(who, 'POST', `/sessions/${session}/messages`, { content: 'Go', ...wish })
  if (kind === 'model') {
    found.list = has(await as(who, 'GET', '/available-models'), id)
    found.choose = isOpen(await as(who, 'PUT', `/sessions/${session}/model`, { model_name: id }))
    found.begin = isOpen(await as(who, 'POST', '/sessions', { model_name: id }))
    found.use = isOpen(await ask({ model_name: id }))
    found.assistant = isOpen(
      await as(who, 'POST', '/assistants', { name: 'A', agent_type: 'single_turn', model_name: id }),
    )
    found.wireList = has(await wire(who, 'GET', '/models'), id)
    found.wireOne = isOpen(await wire(who, 'GET', `/models/${id}`))
    const messages = [{ role: 'user', content: 'Go' }]
    found.wire = isOpen(await wire(who, 'POST', '/chat/completions', { model: id, messages }))
    found.embed = isOpen(await wire(who, 'POST', '/embeddings', { model: id, input: 'a' }), /./)
    found.documents = isOpen(
      await as(who, 'POST', '/rag/generate', { query: 'Who?', model: id, collection_name: 'Documents' }),
    )
  }
  if (kind === 'tool') {
    found.list = has(await as(who, 'GET', '/tools'), id)
    found.look = isOpen(await as(who, 'GET', `/tools/${id}`))
    found.policy = isOpen(await as(who, 'GET', `/tools/${id}/policy`))
    const inputs = id === 'calculator' ? { a: 1, b: 2, operation: 'add' } : { query: 'Who?' }
    found.use = isOpen(await as(who, 'POST', `/tools/${id}/execute`, { inputs }), /^invalid$/)
    found.choose = isOpen(await ask({ tool_choice: id, model_name: modelId }))
    if (id === 'document_search')
      found.search = isOpen(
        await as(who, 'POST', '/rag/generate', {
          query: 'Who?',
          collection_name: 'Documents',
          model: modelId,
        }),
      )
  }
  if (kind === 'assistant') {
    found.list = has(await as(who, 'GET', '/assistants'), id)
    found.look = isOpen(await as(who, 'GET', `/assistants/${id}`))
    found.begin = isOpen(await as(who, 'POST', '/sessions', { assistant_id: id }))
    found.choose = isOpen(await as(who, 'PUT', `/sessions/${session}/assistant`, { assistant_id: id }))
    await as(who, 'PUT', `/sessions/${session}/assistant`, { assistant_id: null })
    found.wireOne = isOpen(await wire(who, 'GET', `/models/assistant/${id}`))
    found.wireList = has(await wire(who, 'GET', '/models'), `assistant/${id}`)
  }
  if (kind === 'feature') {
    found.told = !has(await as(who, 'GET', '/users/me/closed-features'), id)
    found.use = await askForFeature(who, session, id)
    if (id === 'api_keys') found.wire = isOpen(await wire(who, 'GET', '/models'))
  }
  return found
}

async function askForFeature(who: TestUser, session: string, id: string): Promise<boolean> {
  const uses: Record<string, [string, string, object]> = {
    api_keys: ['POST', '/users/me/api-keys', { name: 'ERP', scopes: ['chat'], days: 1 }],
    webhooks: ['POST', '/webhooks', { name: 'ERP', url: 'https://erp.example/', events: ['run.finished'] }],
    own_tools: ['POST', '/tools', {}],
    mcp_servers: ['POST', '/mcp-servers', {}],
    links: ['POST', `/sessions/${session}/links`, { days: 1, documents: [], hide_steps: false }],
    exports: ['POST', `/sessions/${session}/exports`, { format: 'markdown' }],
    deep_research: ['PUT', `/sessions/${session}/agent`, { agent_type: 'deep_research' }],
    temporary_chats: ['POST', '/sessions', { is_temporary: true }],
  }
  // A request that fails later for another reason was allowed.
  const open = isOpen(await as(who, ...uses[id]!), /^(invalid|conflict|not_found)$/)
  if (id === 'deep_research')
    await as(who, 'PUT', `/sessions/${session}/agent`, { agent_type: 'single_turn' })
  return open
}

/** Random grants. Targets are indices, because ids are known later. */
const someGrants = fc.array(
  fc.record({
    effect: fc.constantFrom('allow' as const, 'refuse' as const),
    decider: fc.nat(2),
    named: fc.constantFrom('member', 'company_admin', 'first', 'second', 'group', 'nobody'),
  }),
  { maxLength: 3 },
)

function readGrants(some: { effect: Grant['effect']; decider: number; named: string }[]): Grant[] {
  const whos: Record<string, Pick<Grant, 'who' | 'id'>> = {
    ...{ member: { who: 'role', id: 'member' }, company_admin: { who: 'role', id: 'company_admin' } },
    ...{ first: { who: 'company', id: first }, second: { who: 'company', id: second } },
    ...{ group: { who: 'group', id: groupId }, nobody: { who: 'nobody', id: '' } },
  }
  const grants = some.map(({ effect, decider, named }) => ({
    ...{ effect, decided_by: [null, first, second][decider] ?? null, ...whos[named]! },
  }))
  const once = new Map(grants.map((grant) => [`${grant.decided_by} ${grant.who} ${grant.id}`, grant]))
  return [...once.values()]
}

describe('access by grants', () => {
  it('is the same through every route, for any combination of grants [AD-05]', {
    timeout: 240_000,
  }, async () => {
    const rounds = fc.sample(fc.tuple(fc.constantFrom(...things), someGrants, fc.nat(people.length - 1)), {
      ...{ numRuns: 60, seed: 5 },
    })
    // Includes each thing once without grants and once closed.
    const certain = things.flatMap((thing) =>
      [[], [{ effect: 'allow' as const, decider: 0, named: 'nobody' }]].map(
        (some) => [thing, some, 1] as const,
      ),
    )
    const seen = new Set<string>()
    for (const [thing, some, at] of [...certain, ...rounds]) {
      const who = people[at]!
      const grants = readGrants([...some])
      await decideOn(chat.app, thing, grants)
      const { may } = decide(await chat.app.deps.grants.standingOf(who.id), grants)
      const doors = await doorsOf(who, thing)
      const wrong = Object.entries(doors).filter(([, open]) => open !== may)
      expect({ thing, grants, may, wrong }).toMatchObject({ wrong: [] })
      for (const door of Object.keys(doors)) seen.add(`${thing.kind} ${door} ${may}`)
      await decideOn(chat.app, thing, [])
    }
    // Every route was seen both open and closed.
    for (const one of seen) expect(seen).toContain(one.replace(/\w+$/, (may) => String(may !== 'true')))
    expect(seen.size).toBeGreaterThan(40)
  })
})

it('a change of grants notifies the affected users by user events, with what is closed to them', async () => {
  const { app, url } = chat
  const [stranger, told] = [people[0]!, people[1]!]
  const stream = await openStream(`${url}/users/me/events`, { headers: told.headers })
  const heard = () => stream.wire.filter(({ event }) => event === 'grants_changed').length
  const closed = async (who: TestUser) => (await as(who, 'GET', '/users/me')).body.closed_features
  expect(await closed(told)).toEqual([])
  await as(superAdmin, 'PUT', '/admin/grants', {
    ...{ kind: 'feature', id: 'exports', decided_by: null, allow: [] },
    refuse: [{ who: 'company', id: first }],
  })
  await expect.poll(heard, { timeout: 10_000 }).toBeGreaterThan(0)
  expect([await closed(told), await closed(stranger)]).toEqual([['exports'], []])
  const before = heard()
  // A user who leaves the company is notified too.
  await app.deps.db.deleteFrom('company_members').where('user_id', '=', told.id).execute()
  await expect.poll(heard, { timeout: 10_000 }).toBeGreaterThan(before)
  expect(await closed(told)).toEqual([])
  stream.leave()
})
