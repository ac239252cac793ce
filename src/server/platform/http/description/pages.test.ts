import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Schema } from '#tests/api/is-within.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'

type Operation = {
  parameters: { name: string; in: string; required: boolean; schema: { maximum?: number } }[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
let app: TestApp
let routes: { name: string; path: string; operation: Operation }[]
let admin: TestUser
beforeAll(async () => {
  app = await startApp()
  admin = await aUser(app, { role: 'super_admin' })
  const { paths } = (await app.http.inject({ url: '/api/v1/openapi.json' })).json()
  routes = Object.entries<Record<string, Operation>>(paths).flatMap(([path, { get }]) =>
    get ? [{ name: path.replace('/api/v1', ''), path, operation: get }] : [],
  )
})
afterAll(() => app.close())

/** Lists in answers that are limited by something other than pages, with that limit. */
const bounded: Record<string, string> = {
  '/admin/channels': 'the connections of an installation, at most 50, with at most 200 channels each',
  '/admin/channels/{channelId}/offered': 'the channels that an app is in, at most 1,000',
  '/file-picks/ways': 'the kinds of sources that files are picked from',
  '/file-picks/state': 'the files that were picked at once',
  '/admin/companies/{companyId}/action-policies': 'a line for each action',
  '/admin/companies/{companyId}/domains': 'the domains a company claims, at most a hundred',
  '/admin/companies/{companyId}/networks': 'the networks of a company, at most 200',
  '/admin/companies/{companyId}/tool-approvals': 'the tools of a company with a named approver, at most 500',
  '/admin/companies/{companyId}/masking': 'a name for each connected provider',
  '/admin/companies/{companyId}/retention': 'a rule for each kind of thing',
  '/admin/databases': 'the databases of an installation, at most 200',
  '/admin/databases/{databaseId}/tables': 'the tables that a role may read, at most 1,000',
  '/admin/overview': 'the days of two weeks, and a line for each condition',
  '/admin/mail': 'the variables that decide it',
  '/admin/retention': 'a rule for each kind of thing',
  '/admin/sign-on': 'the services there are, and a rule each',
  '/admin/sign-on/providers': 'at most 20',
  '/admin/sign-up': 'the domains of a house, as many as may be set',
  '/admin/usage': 'the days that may be asked for at once',
  '/admin/users/{userId}': 'the companies and groups of one person, at most a thousand groups',
  '/assistants/{assistantId}': 'what one assistant has, as many as may be set',
  '/assistants/{assistantId}/embeds': 'the tokens of one assistant, the newest hundred',
  '/assistants/{assistantId}/export': 'what one assistant has, as many as may be set',
  '/assistants/{assistantId}/missing': 'the tools of one assistant',
  '/assistants/{assistantId}/shares': 'the shares of one assistant, at most 500',
  '/assistants/{assistantId}/versions/compare': 'the lines of two instructions',
  '/checkpoints/compare': 'the blocks and lines of two replies',
  '/connector-sources': 'the sources there are, with the fields of each',
  '/connectors/{connectorId}': 'the settings of one connector, and at most 200 readers',
  '/documents/months': 'months, the newest of them',
  '/documents/state': 'the parts of the product that read documents',
  '/documents/{documentId}': 'what was read of one document, cut where it is stored',
  '/documents/{documentId}/chunks/{chunkId}': 'the headings above one passage',
  '/documents/{documentId}/report': 'the warnings of one reading',
  '/embedding-model': 'the models there are',
  '/facts/export': 'the facts of one person and of their projects, at most 10,000',
  '/home': 'at most five of each kind',
  '/mcp-servers/{toolSetId}': 'what one server offers, cut where it is read',
  '/mcp-servers/{toolSetId}/health': 'the last 50 messages and the half hours of a day',
  '/memory/settings': 'the switches of one person, and the last 20 refusals',
  '/palette': 'the best matches of a search, at most 20 of each kind',
  '/projects': 'the projects of one person, at most 200',
  '/projects/{workspaceId}/schedules': 'at most 20, with the number of those of other members',
  '/projects/{workspaceId}/spending': 'one budget for each of two periods',
  '/projects/{workspaceId}/unanswered': 'the groups that most people asked, at most 100',
  '/projects/{workspaceId}/members': 'the owner and the members of one project, at most 201',
  '/prompts/{promptId}': 'what one prompt has, as many as may be set',
  '/prompts/{promptId}/shares': 'the shares of one prompt, at most 500',
  '/prompts/{promptId}/versions/compare': 'the lines of two texts',
  '/retrieval-bench/cases/{benchCaseId}': 'the passages one question expects',
  '/colleagues': 'the best matches of a search, at most 50',
  '/deputy-questions': 'the open questions to one person, at most 100',
  '/schedules/{scheduleId}/deliveries/{triggerDeliveryId}': 'the names in one body, at most 64 kB',
  '/assistants/{assistantId}/mail': 'at most 50 senders and the latest mails',
  '/schedules/{scheduleId}': 'the fields and things of one schedule, bounded by its settings',
  '/search/vector-info/{collection}': 'the vectors of a passage',
  '/notifications/push': 'the browsers of one person, at most 20',
  '/session-marks/tags': 'the tags of one person, the most used 200',
  '/sessions/{sessionId}': 'the documents of one chat that are named beside it',
  '/sessions/{sessionId}/masking': 'the newest 1,000 replies',
  '/sessions/{sessionId}/belief': 'the working memory of one chat, which has its own bounds',
  '/sessions/{sessionId}/memory': 'the facts of the last 200 replies of one chat',
  '/sessions/{sessionId}/messages/{messageId}/comparison': 'the replies of at most four models',
  '/sessions/{sessionId}/people': 'the best matches of a search among the members of one project, at most 50',
  '/sessions/{sessionId}/queue': 'the waiting messages of one chat, at most 20',
  '/sessions/{sessionId}/tools': 'the tools one person has, a few hundred at most',
  '/share-recipients': 'the best matches of a search, at most 50 of each kind',
  '/shared/{token}': 'the first page; the next are at /messages. Its files are those of one branch',
  '/sign-in-options': 'the services there are',
  '/personal-accounts': 'a line for each kind of account',
  '/tool-accounts/client.json': 'a document with fixed lists',
  '/tool-executions/{executionId}': 'what one use of a tool said, cut where it is stored',
  '/tool-sets/{toolSetId}/shares': 'the shares of one set, at most 500',
  '/tool-sets/{toolSetId}/account': 'what one service lets a person give leave for',
  '/tool-sets/{toolSetId}': 'the tools of one set',
  '/tools/{toolId}': 'the examples of one tool',
  '/tools/{toolId}/definition': 'the secrets of one tool',
  '/classes': 'the classes of the companies of a person, at most 20 each',
  '/admin/companies/{companyId}/classes':
    'the classes of one company, at most 20, and the connections there are',
  '/sessions/{sessionId}/refused-providers': 'the connections there are',
  '/users/me/terms': 'the terms of the companies of a person, at most a hundred',
  '/users/me/announcements': 'what one person is shown at once, three at most',
  '/users/me': 'the examples of how somebody writes, and their companies',
  '/users/me/billing/usage': 'the steps and models of one month',
  '/admin/hidden-controls': 'the controls there are',
  '/admin/companies/{companyId}/hidden-controls': 'the controls there are, each with at most 500 groups',
  '/users/me/closed-features': 'the features there are',
  '/users/me/sign-on-connections': 'the services there are',
  '/v1/chat/completions/{completionId}': 'one choice',
  '/v1/responses/{responseId}': 'the answer of one call',
  '/vector_db/status': 'the collections there are, as far as one page of them',
}

/** Returns the top-level lists of an answer. */
function listsOf({ responses }: Operation): string[] {
  const schema = responses[200]?.content?.['application/json']?.schema ?? {}
  if (schema.type === 'array') return ['']
  const kinds = schema.anyOf ?? schema.oneOf ?? [schema]
  return kinds.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, one]) => (one.type === 'array' ? [name] : [])),
  )
}

function doesPage({ parameters }: Operation): boolean {
  const has = (name: string) => parameters.some((one) => one.in === 'query' && one.name === name)
  const isBounded = parameters.some(({ name, schema }) => name === 'limit' && schema.maximum !== undefined)
  return isBounded ? ['page', 'skip', 'before', 'after'].some(has) : false
}

const asksFor = ({ parameters }: Operation) => parameters.some(({ required }) => required)

/** Routes with a page size of their own. */
const ofOneSize = [
  '/admin/chat-accesses',
  '/admin/chat-accesses/{accessId}/chats',
  '/admin/chat-accesses/{accessId}/chats/{chatId}',
  '/documents/{documentId}/elements',
  '/shared/{token}/messages',
  '/users/me/chat-accesses',
]

describe('list answer', () => {
  it('has a maximum page size or another limit [PG-13]', () => {
    const listing = routes.filter(({ operation }) => listsOf(operation).length > 0)
    expect(listing.length).toBeGreaterThan(40)
    const paged = listing.filter(({ name, operation }) => doesPage(operation) || ofOneSize.includes(name))
    expect(paged.length).toBeGreaterThan(25)
    const others = listing.filter((route) => !paged.includes(route)).map(({ name }) => name)
    expect(others.sort()).toEqual(Object.keys(bounded).sort())
  })

  it('returns at most the requested items and continues from the given position, on every route without other input [PG-13]', async () => {
    await aSession(app, admin, { turns: 1 })
    await aSession(app, admin, { turns: 1 })
    const plain = routes.filter(
      ({ path, operation }) => doesPage(operation) && !asksFor(operation) && !path.includes('{'),
    )
    expect(plain.length).toBeGreaterThan(15)
    let long = 0
    for (const { path, operation } of plain) {
      const read = async (query: string) => {
        const answer = await app.http.inject({ url: `${path}?${query}`, headers: admin.headers })
        expect(answer.statusCode, path).toBe(200)
        return listsOf(operation).map((name) => (name ? answer.json()[name] : answer.json()) as unknown[])
      }
      const whole = await read('')
      const one = await read('limit=1')
      for (const list of one) expect(list.length, path).toBeLessThanOrEqual(1)
      if (!operation.parameters.some(({ name }) => name === 'skip') || (whole[0]?.length ?? 0) < 2) continue
      long += 1
      expect(await read('limit=1&skip=1'), path).toEqual(whole.map((list) => list.slice(1, 2)))
    }
    expect(long).toBeGreaterThan(2)
  })
})
