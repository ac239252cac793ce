import { createHash } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import {
  asModule,
  goodInterface,
  hostileInterfaces,
  tiresomeInterfaces,
} from '../support/hostile-interfaces.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { calls, type ModelRequest, says } from '../support/model-server.ts'

let journey: Journey
/** Serves interfaces and the results of their tools. */
let house: ApiServer
/** Nothing may arrive here. */
let elsewhere: ApiServer
let stun: Socket
let packets = 0
let hostile: Record<string, string>
let good = ''
let token: string

beforeAll(async () => {
  ;[house, elsewhere] = await Promise.all([startApiServer(), startApiServer()])
  stun = createSocket('udp4')
  stun.on('message', () => (packets += 1))
  await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve))
  hostile = hostileInterfaces(elsewhere.url, (stun.address() as AddressInfo).port)
  house.answer(({ path }) => {
    const name = path.slice('/ui/'.length)
    if (!path.startsWith('/ui/')) return { body: { score: 71, secret: 'only for its own interface' } }
    const code: Record<string, string> = { ...hostile, ...tiresomeInterfaces, good }
    return {
      headers: { 'content-type': 'text/javascript' },
      body: code[name] === undefined ? name : asModule(code[name]),
    }
  })
  journey = await startJourney({ env: { ATRIUM_TOOLS_PRIVATE: house.url }, hasOwnFrames: true })
  token = await journey.signUp('ada')
})
beforeEach(() => journey.fresh())
afterEach(() => elsewhere.asked.splice(0))
afterAll(async () => {
  await journey.close()
  await Promise.all([house.close(), elsewhere.close()])
  stun.close()
})

async function api(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${journey.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
  return JSON.parse(text)
}

/** Creates an own tool with an interface. */
async function aTool(name: string, ui: object | null = {}): Promise<string> {
  const call = { method: 'GET', address: `${house.url}/score`, inputs: [] }
  const { id } = await api('POST', '/tools', { ui_name: `Score ${name}`, description: 'Scores.', call })
  if (ui) await api('PUT', `/tools/${id}/interface`, { ui: { url: `${house.url}/ui/${name}`, ...ui } })
  return id
}

/** Creates one with an uploaded interface. */
const anUploaded = (name: string, code: string, rights: object = {}) =>
  aTool(name, {
    ...{ url: undefined, ...rights },
    file: { name: `${name}.js`, content: Buffer.from(asModule(code)).toString('base64') },
  })

/** Opens a chat whose only reply calls these tools. */
async function openCalls(tools: string[]): Promise<Page> {
  journey.model.always(({ messages }: ModelRequest) =>
    messages.at(-1)?.role === 'tool' ? [says('There they are.')] : tools.map((id) => calls(id, {})),
  )
  const session = await api('POST', '/sessions', { session_metadata: { session_tools: tools } })
  const reply = await fetch(`${journey.url}/api/v1/sessions/${session.id}/messages`, {
    method: 'POST',
    headers: {
      ...{
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
    },
    body: JSON.stringify({ content: 'Score' }),
  })
  await reply.text()
  return journey.open(`/chat/${session.id}`, { token })
}

const framesOf = (page: Page) => page.frames().filter((frame) => /tool-interfaces/.test(frame.url()))
type Found = Record<string, string | null>

/** Returns the attempts of interfaces with their outcomes. One that never ends is read as it is; one stopped meanwhile is gone. */
async function readFound(frames: Frame[]): Promise<Found[]> {
  return Promise.all(
    frames.map(async (frame): Promise<Found> => {
      try {
        const isDone = frame.waitForFunction('globalThis.isDone', undefined, { timeout: 20_000 })
        await isDone.catch((error) => {
          if (!/Timeout/.test(String(error))) throw error
        })
        return (await frame.evaluate('found')) as Found
      } catch (error) {
        if (/detached/.test(String(error))) return {}
        throw error
      }
    }),
  )
}

const stopped = (page: Page) => page.getByText('The interface was stopped.')

/** The most valuable targets for an interface served by this installation. */
const ownGround = ['page', 'storage', 'cookies', 'ours', 'fetches', 'code']

it('prevents interfaces from reading the page, leaving their frame, reaching servers or making forbidden calls [XT-15]', async () => {
  const names = Object.keys(hostile)
  expect(names.length).toBeGreaterThanOrEqual(20)
  const tools = []
  for (const name of names) tools.push(await aTool(name))
  // Uploaded interfaces can do no more than remote ones.
  for (const name of ownGround) tools.push(await anUploaded(name, hostile[name] ?? ''))
  const page = await openCalls(tools)
  const happened: string[] = []
  page.on('dialog', (dialog) => {
    happened.push('dialog')
    void dialog.dismiss()
  })
  page.on('download', () => happened.push('download'))
  page.on('popup', () => happened.push('window'))
  const address = page.url()
  const settled = async () => framesOf(page).length + (await stopped(page).count())
  await expect.poll(settled, { timeout: 60_000 }).toBe(tools.length)
  const found = await readFound(framesOf(page))
  const got = found.flatMap((one) => Object.entries(one))
  expect(got.length).toBeGreaterThan(40)
  expect(got.filter(([, value]) => value !== null && value !== 'undefined')).toEqual([])
  // Waits until late requests have been sent.
  await page.waitForTimeout(1500)
  expect(elsewhere.asked.map(({ path }) => path)).toEqual([])
  expect([packets, happened, page.url()]).toEqual([0, [], address])
  // Only the requested call of its own tool was made.
  for (const id of ['calculator', 'web_search'])
    expect((await api('GET', `/tool-executions?tool_id=${id}`)).items).toEqual([])
  const own = await api('GET', `/tool-executions?tool_id=${tools[names.indexOf('calls')]}`)
  expect(own.items.length).toBeLessThanOrEqual(2)
  for (const frame of await page.locator('iframe').all())
    expect((await frame.boundingBox())?.height).toBeLessThanOrEqual(1_200)
  await usable(page)
}, 180_000)

/** Checks that the person can continue: clicks and input take effect immediately. */
async function usable(page: Page): Promise<void> {
  const began = performance.now()
  await page.locator('textarea').first().fill('Still here')
  expect(await page.locator('textarea').first().inputValue()).toBe('Still here')
  await page.getByRole('log').getByText('There they are.').waitFor()
  expect(performance.now() - began).toBeLessThan(15_000)
}

it('stops interfaces that flood, navigate or hang, or lets them waste only their own time [XT-15]', async () => {
  const tools = [await aTool('flood'), await aTool('leaves')]
  const page = await openCalls(tools)
  await usable(page)
  await expect.poll(() => stopped(page).count(), { timeout: 60_000 }).toBe(tools.length)
  await page.getByText('It sent too many messages. The page was not affected.').first().waitFor()
  await page.getByRole('button', { name: 'Start again' }).first().click()
  await usable(page)
  const other = await openCalls([await aTool('busy'), await aTool('heavy')])
  await other.locator('iframe').first().waitFor()
  await other.waitForTimeout(1_000)
  await usable(other)
}, 120_000)

it("renders an interface's input, and asks for approval of the calls it requests [XT-14]", async () => {
  const call = { method: 'POST', address: `${house.url}/letters`, inputs: [] }
  const other = await api('POST', '/tools', { ui_name: 'Send letter', description: 'Sends.', call })
  good = goodInterface(other.id)
  const tool = await aTool('good', { calls: [other.id] })
  const page = await openCalls([tool])
  const frame = page.frameLocator('iframe')
  await frame.getByText('Score 71 light en').waitFor()
  await page.getByText('Verified interface').waitFor()
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.height).toBe(321)
  await framesOf(page)[0]?.evaluate('ask()')
  await page.getByText('The interface wants to run “Send letter”.').waitFor()
  expect(house.asked.filter(({ path }) => path === '/letters')).toEqual([])
  await page.getByRole('button', { name: 'Approve' }).click()
  await frame.getByText('| other').waitFor()
  expect(house.asked.filter(({ path }) => path === '/letters')).toHaveLength(1)
}, 120_000)

it("uploads an interface in its tool's form, which then renders the tool's results", async () => {
  const tool = await aTool('by_file', null)
  const page = await journey.open(`/tools/${tool}/edit`, { token })
  await page.getByRole('tab', { name: 'Interface' }).click()
  await page.getByRole('button', { name: 'By file' }).click()
  const picker = page.locator('input[type=file][accept=".js,.mjs"]')
  await picker.setInputFiles({
    ...{ name: 'not-yet.js', mimeType: 'text/javascript' },
    buffer: Buffer.from('export const a = 1\n<html>'),
  })
  await page.getByRole('button', { name: 'Load and approve' }).click()
  await page.getByText(/This file is not a JavaScript module\. Line 2: /).waitFor()
  const code = asModule(goodInterface('calculator'))
  await picker.setInputFiles({
    ...{ name: 'score.js', mimeType: 'text/javascript', buffer: Buffer.from(code) },
  })
  await page.getByRole('button', { name: 'Load and approve' }).click()
  const sri = `sha384-${createHash('sha384').update(code).digest('base64')}`
  await page.getByText(sri).waitFor()
  const chat = await openCalls([tool])
  await chat.frameLocator('iframe').getByText('Score 71 light en').waitFor()
  await chat.getByText('Verified interface').waitFor()
  await chat.getByText('score.js').waitFor()
}, 120_000)
