import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { calls, says } from '#tests/model-server.ts'
import { type OAuthServer, startOAuthServer } from '#tests/oauth-server.ts'
import { type Scheduling, startScheduling } from '#tests/scheduling.ts'
import { aSignedInTool, type SignedInTool } from '#tests/signed-in-tool.ts'
import { keepCookies, wander } from '#tests/wander.ts'
import { continueRuns } from '../../../tools/own-tools/oauth/continue-runs.ts'

let api: ApiServer
let oauth: OAuthServer
let scheduling: Scheduling
let tool: SignedInTool
beforeAll(async () => {
  ;[api, oauth] = await Promise.all([startApiServer(), startOAuthServer()])
  scheduling = await startScheduling({ ATRIUM_TOOLS_PRIVATE: [api.url, oauth.url].join() })
  const { chat } = scheduling
  // Tokens expire before the next run.
  oauth.tokensLast(10)
  api.answer(({ headers }) => ({ body: { authorization: headers.authorization ?? null } }))
  tool = await aSignedInTool(chat, { api, oauth })
  // Only the runs ask the model.
  await chat.call('PATCH', '/memory/settings', { proposals: 'refuse' })
})
afterAll(async () => {
  await scheduling.chat.close()
  await api.close()
  oauth.close()
})

/** Connects the account as the browser of the owner does. */
async function connect(): Promise<void> {
  const { url, user } = scheduling.chat
  const begun = await fetch(`${url}/tool-sets/${tool.account.set_id}/account`, {
    method: 'POST',
    headers: { ...user.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ tool_id: tool.id }),
  })
  const jar = new Map<string, string>()
  keepCookies(jar, begun)
  const { url: back } = await wander(
    ((await begun.json()) as { url: string }).url,
    new Map([[new URL(url).host, jar]]),
  )
  expect(back.search).toBe('?account=connected')
}

/** Starts the slot of a new schedule on a day of January, whose model calls the tool once. */
async function startSlot(day: number): Promise<string> {
  const { chat, aSchedule, moveTo, run, db } = scheduling
  await sql`delete from schedules`.execute(db)
  const id = await aSchedule()
  await run()
  chat.model.reply([calls(tool.id, {})], [says('Two orders.')])
  await moveTo(`2027-01-${String(day).padStart(2, '0')}T07:00:01Z`)
  await run()
  return id
}
const tokens = () => oauth.asked.filter((what) => what === 'grant refresh_token').length

it('renews the expired sign-in of a tool in a slot, or lets the run rest until its owner signs in [SD-15]', async () => {
  const { chat, reaches, db, log } = scheduling
  await connect()
  const renewed = await startSlot(4)
  await reaches(renewed, 'completed')
  expect(tokens()).toBe(1)
  expect(api.take().headers.authorization).toMatch(/^Bearer /)

  // The service forgot the grant, so the sign-in cannot be renewed.
  oauth.forget()
  const parked = await startSlot(5)
  await reaches(parked, 'asking')
  expect(api.asked).toEqual([])
  const { items } = (await chat.call('GET', '/input-requests')).body
  expect(items).toHaveLength(1)
  expect(items[0].request).toMatchObject({
    ...{ kind: 'sign_in', skippable: true },
    tool: {
      tool_id: tool.id,
      account: { service: new URL(oauth.url).host, page: `/tools/${tool.id}` },
    },
  })
  const { rows } = await sql<{ kind: string }>`select kind from notifications
    where user_id = ${chat.user.id} and run_id = ${items[0].run_id} order by id limit 10`.execute(db)
  expect(rows).toContainEqual({ kind: 'question_waiting' })
  expect(chat.app.deps.engine.live.has(items[0].run_id)).toBe(false)

  await connect()
  // The scheduling server runs no jobs.
  const whose = { setId: tool.account.set_id, userId: chat.user.id }
  expect(await chat.app.deps.jobs.has(`continue ${whose.setId} ${whose.userId}`)).toBe(true)
  await continueRuns(chat.app.deps, whose, new AbortController().signal)
  await reaches(parked, 'completed')
  expect(api.take().headers.authorization).toMatch(/^Bearer /)
  expect((await log(parked))[0]).toMatchObject({ result: 'Two orders.' })
  expect((await chat.call('GET', '/input-requests')).body.items).toEqual([])
})

it('continues without the call if its owner does not sign in', async () => {
  const { chat, reaches, log } = scheduling
  oauth.forget()
  const id = await startSlot(6)
  await reaches(id, 'asking')
  const { session_id, request } = (await chat.call('GET', '/input-requests')).body.items[0]
  const answer = { checkpoint_name: request.checkpoint_name, input: null, input_type: 'skipped' }
  expect((await chat.call('POST', `/sessions/${session_id}/provide-input`, answer)).status).toBe(200)
  await reaches(id, 'completed')
  expect(api.asked).toEqual([])
  expect((await log(id))[0]).toMatchObject({ result: 'Two orders.' })
  expect(JSON.stringify(chat.model.requests.at(-1))).toContain('is not connected')
})

it('fails the call if the owner resumes it without having signed in', async () => {
  const { chat, reaches } = scheduling
  const id = await startSlot(7)
  await reaches(id, 'asking')
  const { session_id, request } = (await chat.call('GET', '/input-requests')).body.items[0]
  const answer = { checkpoint_name: request.checkpoint_name, input: true, input_type: 'boolean' }
  expect((await chat.call('POST', `/sessions/${session_id}/provide-input`, answer)).status).toBe(200)
  await reaches(id, 'completed')
  expect(JSON.stringify(chat.model.requests.at(-1))).toContain('is not connected')
})
