import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { startAppMcpServer } from '../support/app-mcp-server.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { calls, type ModelRequest, says } from '../support/model-server.ts'

let journey: Journey
let token: string
let mcp: Awaited<ReturnType<typeof startAppMcpServer>>
/** Nothing may arrive here. */
let elsewhere: Server
const arrived: string[] = []

/** A page as such servers serve it: it starts the protocol, renders the result, and calls another tool of its server. */
const page = (
  reach: string,
) => `<!doctype html><html><body><p id="out">waiting</p><button id="ask">Count</button><script>
  const out = document.getElementById('out')
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', ({ data }) => {
    if (data.id === 1) send({ method: 'ui/notifications/initialized' })
    if (data.method === 'ui/notifications/tool-result') out.textContent = 'Sites: ' + data.params.structuredContent.sites
    if (data.id === 2) out.textContent += ', employees: ' + data.result.content[0].text
  })
  document.getElementById('ask').onclick = () => send({ id: 2, method: 'tools/call', params: { name: 'count', arguments: {} } })
  send({ id: 1, method: 'ui/initialize', params: {} })
  globalThis.found = {}
  const attempt = (name, work) => { try { globalThis.found[name] = String(work()) } catch { globalThis.found[name] = null } }
  attempt('storage', () => localStorage.length)
  attempt('page', () => parent.document.title)
  globalThis.reached = fetch('${reach}').then(() => true, () => false)
</script></body></html>`

beforeAll(async () => {
  elsewhere = createServer(({ url = '' }, response) => {
    arrived.push(url)
    response.end()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  mcp = await startAppMcpServer(page(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`))
  journey = await startJourney({
    env: { ATRIUM_TOOLS_PRIVATE: mcp.origin, ATRIUM_MCP_SERVERS: 'everybody' },
    hasOwnFrames: true,
  })
  token = await journey.signUp('ada')
})
beforeEach(() => journey.fresh())
afterAll(async () => {
  await journey.close()
  mcp.close()
  elsewhere.close()
})

it('shows a page of an MCP server in a frame without an origin, which can only call its own server [XT-16]', async () => {
  const account = accountAt(journey.url, token)
  const address = { kind: 'http', url: mcp.url }
  await account.call('POST', '/mcp-servers', { name: 'Sites', address })
  const tools = await account.call<{ id: string; kind: string; ui_location: { kind: string } | null }[]>(
    'GET',
    '/tools',
  )
  // Tools of a server ask until their owner allows them.
  for (const { id, kind } of tools)
    if (kind === 'mcp') await account.call('PUT', `/tools/${id}/policy`, { policy: 'auto' })
  const map = tools.find(({ ui_location }) => ui_location?.kind === 'app')?.id ?? ''
  journey.model.always(({ messages }: ModelRequest) =>
    messages.at(-1)?.role === 'tool' ? [says('There they are.')] : [calls(map, {})],
  )
  const metadata = { session_tools: [map] }
  const { id } = await account.call<{ id: string }>('POST', '/sessions', { session_metadata: metadata })
  const view = await journey.open(`/chat/${id}`, { token })
  await view.locator('textarea').first().fill('Show our sites')
  await view.keyboard.press('Enter')
  await view.getByRole('log').getByText('There they are.').waitFor()
  const frame = view.frameLocator('iframe')
  await frame.getByText('Sites: 2').waitFor()
  await view.getByText('Interface of its server').waitFor()
  expect(await view.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
  const inside = view.frames().find((one) => /tool-interfaces/.test(one.url()))
  expect(await inside?.evaluate('found')).toEqual({ storage: null, page: null })
  expect(await inside?.evaluate('reached')).toBe(false)
  expect(arrived).toEqual([])
  await frame.getByRole('button', { name: 'Count' }).click()
  await frame.getByText('Sites: 2, employees: 17').waitFor()
  expect(mcp.called).toEqual(['map', 'count'])
}, 120_000)

it('connects an MCP server, switches one of its tools off, and shows its outage and recovery [XT-06, XT-07, XT-09]', async () => {
  const owner = await journey.signUp('grace')
  const view = await journey.open('/tools/servers', { token: owner })
  await view.getByLabel('Name').fill('Sites')
  await view.getByLabel('Address').fill(mcp.url)
  await view.getByRole('button', { name: 'Connect' }).click()
  await view.getByText('Connected', { exact: true }).waitFor()
  const offers = view.getByRole('region', { name: 'What it offers beside its tools' })
  expect(await offers.getByRole('button').allTextContents()).toEqual([
    'Prompts1review',
    'Resources1Site of Lyon',
  ])
  await offers.getByRole('button', { name: /^Prompts/ }).click()
  await view.getByText('Reviews a site.').waitFor()
  await view.getByRole('tab', { name: /^Tools/ }).click()
  const reconnect = () => view.getByRole('button', { name: 'Reconnect' }).click()
  const health = view.getByRole('complementary', { name: 'Health' })
  await health
    .getByText(/^Said what it offers/)
    .first()
    .waitFor()

  const account = accountAt(journey.url, owner)
  const tools = await account.call<{ id: string; ui_name: string }[]>('GET', '/tools')
  const idOf = (name: string) => tools.find(({ id }) => id.endsWith(`_${name}`))?.id ?? name
  const toldOf = async () => {
    const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
    const asked = journey.model.requests.length
    await account.call('POST', '/messages', { chat_session_id: id, content: 'Go' })
    await expect.poll(() => journey.model.requests.length).toBeGreaterThan(asked)
    const told = JSON.stringify(journey.model.requests[asked]?.tools)
    return ['map', 'count'].filter((name) => told.includes(idOf(name)))
  }
  expect(await toldOf()).toEqual(['map', 'count'])
  await view.getByRole('switch', { name: 'count is on' }).click()
  await view.getByText('Off', { exact: true }).waitFor()
  // The refusal is visible before the server is notified.
  await expect.poll(toldOf, { timeout: 20_000, interval: 500 }).toEqual(['map'])

  mcp.close()
  await reconnect()
  await view.getByText('The server did not answer.').waitFor()
  await health
    .getByText(/^Last failure/)
    .first()
    .waitFor()
  await mcp.comeBack()
  await reconnect()
  await view.getByText('Connected', { exact: true }).waitFor()
  await view.getByText('The server did not answer.').waitFor({ state: 'detached' })
  expect(await view.getByRole('switch', { name: 'count is on' }).isChecked()).toBe(false)
  expect(journey.errors).toEqual([])
}, 60_000)
