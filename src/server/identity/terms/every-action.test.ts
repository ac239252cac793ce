import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '#shared/platform/http.ts'
import { ask, nameOf } from '#tests/access/ask.ts'
import { calls } from '#tests/access/calls.ts'
import { carriedBy, fillHouse } from '#tests/access/people.ts'
import { someThings, type Things } from '#tests/access/things.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { acceptTerms, someTerms } from '#tests/company-terms.ts'
import { features } from '../../features.ts'

/** Routes that send a message or start a model call on behalf of the caller. */
const ACTIONS = [
  'POST /documents/:documentId/transcribe',
  'POST /input-files/:fileId/transcribe',
  'POST /messages',
  'POST /rag/generate',
  'POST /schedules/:scheduleId/runs',
  'POST /search_and_rerank/explain',
  'POST /search_and_rerank/search_and_rerank',
  'POST /sessions/:sessionId/comparisons',
  'POST /sessions/:sessionId/messages',
  'POST /sessions/:sessionId/messages/:messageId/edit-and-regenerate',
  'POST /sessions/:sessionId/messages/:messageId/generate',
  'POST /sessions/:sessionId/messages/:messageId/regenerate',
  'POST /sessions/:sessionId/navigate-to-checkpoint',
  'POST /sessions/:sessionId/provide-input',
  'POST /sessions/:sessionId/queue',
  'POST /sessions/:sessionId/resume',
  'POST /sessions/:sessionId/summary',
  'POST /tool-executions/:executionId/provide-input',
  'POST /tools/:toolId/execute',
  'POST /tools/try',
  'POST /v1/audio/transcriptions',
  'POST /v1/chat/completions',
  'POST /v1/embeddings',
  'POST /v1/messages',
  'POST /v1/responses',
]

let app: TestApp
let url = ''
let house: Awaited<ReturnType<typeof fillHouse>>
let things: Things
const routes = new Map<string, Route>()
beforeAll(async () => {
  let served: Route[] = []
  app = await startApp({
    features: [
      ...features,
      (server) => {
        served = server.routes
      },
    ],
  })
  url = await app.listen()
  for (const route of served) routes.set(nameOf(route), route)
  house = await fillHouse(app)
  things = await someThings(app, { ...house, isShared: false, hasVectors: false })
})
afterAll(() => app.close())

/** Returns the error codes of the calls of an action. */
async function codesOf(name: string, who: 'owner' | 'API key') {
  const route = routes.get(name)
  if (!route) throw new Error(`There is no route ${name}.`)
  const carried = await carriedBy(app, house, who)
  return Promise.all(
    (calls[name] ?? []).map(async (call) => (await ask(route, call, things, url, carried)).code),
  )
}

it('are all that require accepted terms', () => {
  expect(
    [...routes]
      .filter(([, { afterTerms }]) => afterTerms)
      .map(([name]) => name)
      .sort(),
  ).toEqual(ACTIONS)
})

it('are refused until the person has accepted the terms [GV-06]', async () => {
  const termsId = await someTerms(app, house.companyId)
  for (const name of ACTIONS) {
    const codes = await codesOf(name, 'owner')
    expect(codes.length, name).toBeGreaterThan(0)
    expect(codes, name).toEqual(codes.map(() => 'terms_due'))
    if (routes.get(name)?.scope) expect(await codesOf(name, 'API key'), name).toContain('terms_due')
  }
  await acceptTerms(app, house.owner.id, termsId)
  for (const name of ACTIONS) expect(await codesOf(name, 'owner'), name).not.toContain('terms_due')
})
