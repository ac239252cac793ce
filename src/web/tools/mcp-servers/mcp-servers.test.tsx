import { screen, waitFor, within } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import { aUser, leaveApp, prepareBrowser } from '#tests/web/render-app.tsx'
import { aHealth, aServerTool, erp, openServers as open, summaryOf } from '#tests/web/server-builder.tsx'

beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

describe('the list of MCP servers', () => {
  it('shows which servers respond, which fail and which need a sign-in', async () => {
    const away = erp({ id: 's2', name: 'Archive', error: 'It did not answer in time.' })
    const unasked = erp({ id: 's3', name: 'Bank', is_known: false, tools: [] })
    await open('/tools/servers', erp(), {
      'GET /mcp-servers': () => [erp(), away, unasked].map(summaryOf),
    })
    const stateOf = async (name: string) => (await screen.findByRole('link', { name })).closest('li')
    expect((await stateOf('ERP'))?.textContent).toContain('Connected')
    expect((await stateOf('Archive'))?.textContent).toContain('Unavailable')
    expect((await stateOf('Bank'))?.textContent).toContain('Sign in first')
  })

  it('explains an empty list, a failed load and who may connect servers', async () => {
    await open('/tools/servers', erp(), {
      'GET /mcp-servers': () => [],
      'GET /mcp-connecting': () => ({ http: false, stdio: false }),
    })
    expect(await screen.findByText('No server is connected yet.')).toBeTruthy()
    expect(await screen.findByText('Only administrators connect MCP servers here.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Connect' })).toBeNull()
    leaveApp()
    prepareBrowser()
    await open('/tools/servers', erp(), {
      'GET /mcp-servers': () => [503, { detail: 'Busy.', code: 'unavailable' }],
    })
    expect(await screen.findByText('The MCP servers could not be loaded.')).toBeTruthy()
  })

  it('connects a server with headers and an OAuth client, and opens its page', async () => {
    const { user, sentTo } = await open(
      '/tools/servers',
      erp(),
      { 'POST /mcp-servers': () => [201, erp()] },
      aUser({ role: 'company_admin' }),
    )
    expect(screen.queryByRole('button', { name: 'Command' })).toBeNull()
    await user.type(await screen.findByLabelText('Name'), 'ERP')
    await user.type(screen.getByLabelText('Address'), 'https://mcp.orsane.eu/erp')
    await user.type(screen.getByLabelText(/^Headers/), 'X-Key: abc')
    await user.clear(screen.getByLabelText('Time limit of a call'))
    await user.type(screen.getByLabelText('Time limit of a call'), '900')
    await user.click(screen.getByText('Client registered by hand'))
    await user.type(screen.getByLabelText(/^Client ID/), 'atrium')
    await user.click(screen.getByRole('button', { name: 'Connect' }))
    expect(await screen.findByRole('heading', { name: 'ERP' })).toBeTruthy()
    expect(sentTo('POST', '/mcp-servers')).toEqual({
      ...{ name: 'ERP', address: { kind: 'http', url: 'https://mcp.orsane.eu/erp' } },
      ...{ secrets: { 'X-Key': 'abc' }, client: { id: 'atrium', secret: null } },
      limit_seconds: 900,
    })
  })

  it('splits a command into words and explains a failed connection', async () => {
    const { user, sentTo } = await open(
      '/tools/servers',
      erp(),
      {
        'GET /mcp-connecting': () => ({ http: true, stdio: true }),
        'POST /mcp-servers': () => [
          422,
          { detail: 'The program of Files was not found.', code: 'not_available' },
        ],
      },
      aUser({ role: 'super_admin' }),
    )
    await user.click(await screen.findByRole('button', { name: 'Command' }))
    await user.type(screen.getByLabelText('Name'), 'Files')
    await user.type(screen.getByLabelText('Command'), 'node "my files/index.js" --all')
    await user.click(screen.getByRole('button', { name: 'Connect' }))
    expect(await screen.findByText('The program of Files was not found.')).toBeTruthy()
    expect(sentTo('POST', '/mcp-servers')).toMatchObject({
      address: { kind: 'stdio', command: 'node', args: ['my files/index.js', '--all'] },
    })
  })
})

it('says which setting allows a server in a private network', async () => {
  const detail = toolError('private_host', { host: '10.0.0.1' })
  const { user } = await open(
    '/tools/servers',
    erp(),
    { 'POST /mcp-servers': () => [422, { detail, code: 'invalid' }] },
    aUser({ role: 'super_admin' }),
  )
  await user.type(await screen.findByLabelText('Name'), 'ERP')
  await user.type(screen.getByLabelText('Address'), 'http://10.0.0.1/mcp')
  await user.click(screen.getByRole('button', { name: 'Connect' }))
  expect(await screen.findByText(/^10\.0\.0\.1 is in a private network\./)).toBeTruthy()
  await i18next.changeLanguage('fr')
  expect(await screen.findByText(/^10\.0\.0\.1 se trouve dans un réseau privé\./)).toBeTruthy()
  await i18next.changeLanguage('en')
})

describe('the page of an MCP server', () => {
  it('shows new, changed and removed tools and lets the owner decide', async () => {
    const tools = [
      aServerTool(),
      aServerTool({
        id: 't2',
        key: 'cancel_order',
        reads: false,
        ...{ news: 'new', is_on: false, policy: null, runs: 'never' },
      }),
      aServerTool({ id: 't3', key: 'old', is_there: false }),
    ]
    const server = erp({ tools })
    const { user, sentTo } = await open('/tools/servers/s1', server, {
      'PUT /mcp-servers/s1/tools': () => erp({ tools: [aServerTool({ policy: 'ask', runs: 'ask' })] }),
    })
    const row = async (key: string) => (await screen.findByText(key)).closest('li') as HTMLElement
    expect((await row('cancel_order')).textContent).toContain('New')
    expect((await row('old')).textContent).toContain('Unavailable')
    expect(within(await row('old')).queryByRole('button')).toBeNull()
    await user.click(within(await row('find_supplier')).getByRole('button', { name: 'Ask' }))
    await waitFor(() => expect(screen.queryByText('cancel_order')).toBeNull())
    expect(sentTo('PUT', '/mcp-servers/s1/tools')).toEqual({ tool_id: 't1_find', policy: 'ask' })
  })

  it('shows a switch for each policy, which only the owner can change', async () => {
    const off = aServerTool({ is_on: false, runs: 'never' })
    const { user, sentTo } = await open('/tools/servers/s1', erp(), {
      'PUT /mcp-servers/s1/tools': () => erp({ tools: [off] }),
    })
    const isOn = () => screen.findByRole('switch', { name: 'find_supplier is on' })
    expect((await isOn()).getAttribute('aria-checked')).toBe('true')
    await user.click(await isOn())
    expect(await screen.findByText('Off')).toBeTruthy()
    expect((await isOn()).getAttribute('aria-checked')).toBe('false')
    expect((screen.getByRole('button', { name: 'Ask' }) as HTMLButtonElement).disabled).toBe(true)
    expect(sentTo('PUT', '/mcp-servers/s1/tools')).toEqual({ tool_id: 't1_find', is_on: false })
    leaveApp()
    prepareBrowser()
    await open('/tools/servers/s1', erp({ own: false, address: null, tools: [off] }))
    expect(await screen.findByText('Off')).toBeTruthy()
    expect(screen.queryByRole('switch', { name: /find_supplier/ })).toBeNull()
  })

  it('names the tools that are left out, with the reason', async () => {
    const { server } = erp()
    const refused = [
      { name: '', why: 'name' as const },
      { name: 'find_site', why: 'inputs' as const },
    ]
    await open('/tools/servers/s1', erp({ server: { ...server, refused } }))
    const title = await screen.findByText('Some of its tools are left out. All others work.')
    expect(title.parentElement?.parentElement?.textContent).toContain(
      'No usable name: a tool without a name.The server does not describe the inputs as an object: find_site.',
    )
  })

  it('summarises prompts and resources and links to them [XT-07]', async () => {
    const prompt = (name: string, is_there = true) => ({
      ...{ name, title: name, description: '', arguments: [], is_there },
    })
    const prompts = ['review', 'close', 'plan', 'audit', 'sum', 'mail'].map((name) => prompt(name))
    const site = { uri: 'erp://sites', name: 'Sites', description: '', media_type: null, template: false }
    const { user } = await open(
      '/tools/servers/s1',
      erp({
        prompts: [...prompts, prompt('gone', false)],
        resources: [{ ...site, is_there: true }],
      }),
    )
    const offers = within(await screen.findByRole('region', { name: 'What it offers beside its tools' }))
    expect(offers.getByRole('button', { name: /^Prompts/ }).textContent).toBe(
      'Prompts6review, close, plan, audit and 2 more',
    )
    expect(offers.getByRole('button', { name: /^Resources/ }).textContent).toBe('Resources1Sites')
    await user.click(offers.getByRole('button', { name: /^Prompts/ }))
    expect(await screen.findByText('mail')).toBeTruthy()
    expect(screen.getByRole('tab', { name: /^Prompts/ }).getAttribute('aria-selected')).toBe('true')
  })

  it('explains why a server does not respond, and reconnects', async () => {
    const { user, sent } = await open('/tools/servers/s1', erp({ error: 'ERP did not answer in time.' }), {
      'POST /mcp-servers/s1/refresh': () => erp(),
    })
    expect(await screen.findByText('ERP did not answer in time.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Reconnect' }))
    await waitFor(() => expect(screen.queryByText('ERP did not answer in time.')).toBeNull())
    const asked = sent.find(({ path }) => path.startsWith('/mcp-servers/s1/refresh'))
    expect(asked?.query.get('reconnect')).toBe('true')
  })

  it('shows the owner uptime and recent messages in words', async () => {
    const now = new Date()
    const at = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
    const half = new Date(Math.floor(now.getTime() / 1_800_000) * 1_800_000).toISOString()
    const passed = { name: '', ms: null, failure: null }
    const health = aHealth({
      ...{ answered_at: at(1), answering_since: at(5), failed_at: '2026-01-02T03:04:00Z' },
      ...{ failure: 'ERP did not answer in time.', median_ms: 38, answered: 0.998 },
      half_hours: [{ at: half, answers: 3, slow: 0, failures: 1 }],
      messages: [
        { ...passed, at: at(1), what: 'call', name: 'find_supplier', ms: 41 },
        { ...passed, at: at(2), what: 'list', failure: 'ERP did not answer in time.' },
        ...Array.from({ length: 10 }, () => ({ ...passed, at: at(3), what: 'changed' as const })),
      ],
    })
    const { user } = await open('/tools/servers/s1', erp(), { 'GET /mcp-servers/s1/health': () => health })
    const panel = await screen.findByRole('complementary', { name: 'Health' })
    expect(await within(panel).findByText('99.8%')).toBeTruthy()
    expect(within(panel).getByText('38 ms')).toBeTruthy()
    for (const words of [/^Connected since /, /^Last answer: /, /^Last failure: .*2026/])
      expect(within(panel).getByText(words)).toBeTruthy()
    expect(within(panel).getByRole('img').getAttribute('aria-label')).toMatch(
      /^The last 24 hours by half hours\. .+, no answer$/,
    )
    expect(within(panel).getByText('find_supplier called · 41 ms')).toBeTruthy()
    expect(within(panel).getByText('Asked what it offers · ERP did not answer in time.').className).toContain(
      'text-danger',
    )
    expect(within(panel).getAllByText('Offers something else now')).toHaveLength(6)
    await user.click(within(panel).getByRole('button', { name: 'Show all' }))
    expect(within(panel).getAllByText('Offers something else now')).toHaveLength(10)
    // The kind of address is shown next to it.
    expect(within(panel).getByText('https://mcp.orsane.eu/erp')).toBeTruthy()
  })

  it('queries a server immediately on its first visit only', async () => {
    const { sent } = await open('/tools/servers/s1', erp(), {
      'GET /mcp-servers/s1/health': () => aHealth(),
      'POST /mcp-servers/s1/refresh': () => erp(),
    })
    const asked = () => sent.filter(({ path }) => path.startsWith('/mcp-servers/s1/refresh'))
    const read = () => sent.filter(({ path }) => path.endsWith('/health'))
    await waitFor(() => expect(read().length).toBeGreaterThan(1))
    expect(asked()).toHaveLength(1)
    leaveApp()
    prepareBrowser()
    const other = await open('/tools/servers/s1', erp())
    await screen.findByText(/^Last answer/)
    expect(other.sent.filter(({ path }) => path.endsWith('/refresh'))).toEqual([])
  })

  it("saves the owner's changes and leaves secrets unchanged unless re-entered", async () => {
    const kept = erp({ secrets: [{ name: 'X-Key', updated_at: '2026-11-01T10:00:00Z' }] })
    const { user, sentTo } = await open('/tools/servers/s1', kept, {
      'PATCH /mcp-servers/s1': () => ({ ...kept, name: 'ERP of Lyon' }),
    })
    await user.click(await screen.findByRole('tab', { name: 'Connection' }))
    expect(screen.getByText(/^Kept: X-Key\./)).toBeTruthy()
    await user.type(screen.getByLabelText('Name'), ' of Lyon')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('heading', { name: 'ERP of Lyon' })).toBeTruthy()
    expect(sentTo('PATCH', '/mcp-servers/s1')).toEqual({
      ...{ name: 'ERP of Lyon', address: { kind: 'http', url: 'https://mcp.orsane.eu/erp' } },
      limit_seconds: 300,
    })
  })

  it('is shared by its owner with all its tools', async () => {
    const shares = { items: [], may: { everybody: true, others: true } }
    const share = { who: 'everybody', recipient_id: null, name: null, company: null, access: 'use' }
    const made = {
      ...share,
      id: 'h1',
      shared_by: 'Claire Delmas',
      created_at: '2026-11-01T10:00:00Z',
      can_remove: true,
    }
    const { user, sentTo } = await open('/tools/servers/s1', erp(), {
      'GET /tool-sets/s1/shares': () => shares,
      'POST /tool-sets/s1/shares': () => ({ ...shares, items: [made] }),
    })
    await user.click(await screen.findByRole('button', { name: 'Share' }))
    expect(await screen.findByRole('dialog', { name: 'Share ERP' })).toBeTruthy()
    await user.click(await screen.findByRole('switch', { name: 'Everyone' }))
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Everyone', checked: true })).toBeTruthy())
    expect(sentTo('POST', '/tool-sets/s1/shares')).toEqual({ recipient: { who: 'everybody' } })
  })

  it('is read-only for users it is shared with', async () => {
    const theirs = erp({ own: false, address: null, shared_by: 'Inès Brunet' })
    const { sent } = await open('/tools/servers/s1', theirs)
    expect(await screen.findByText('find_supplier')).toBeTruthy()
    expect(screen.getByText('Shared by Inès Brunet')).toBeTruthy()
    expect(screen.queryByRole('tab', { name: 'Connection' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Never' })).toBeNull()
    // Recent messages are hidden from them too.
    expect(screen.getByRole('complementary', { name: 'Server' })).toBeTruthy()
    expect(sent.filter(({ path }) => path.endsWith('/health'))).toEqual([])
  })

  it('deletes a server after confirmation', async () => {
    const { user, sent } = await open('/tools/servers/s1', erp(), {
      'DELETE /mcp-servers/s1': () => ({ message: 'The MCP server was forgotten.' }),
    })
    await user.click(await screen.findByRole('tab', { name: 'Connection' }))
    await user.click(screen.getByRole('button', { name: 'Forget' }))
    const dialog = await screen.findByRole('dialog', { name: 'Forget ERP?' })
    await user.click(within(dialog).getByRole('button', { name: 'Forget' }))
    await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true))
    expect(await screen.findByText('Connect a server')).toBeTruthy()
  })

  it('fills in prompts and reads resources', async () => {
    const asked = { name: 'site', description: 'Which one', required: true }
    const server = erp({
      prompts: [
        { name: 'review', title: 'Review', description: 'Reviews.', arguments: [asked], is_there: true },
      ],
      resources: [
        {
          uri: 'erp://sites',
          name: 'Sites',
          description: '',
          media_type: 'text/plain',
          template: false,
          is_there: true,
        },
      ],
    })
    const { user, sentTo } = await open('/tools/servers/s1', server, {
      'POST /mcp-servers/s1/prompts': () => ({
        messages: [{ role: 'user', text: 'Review Lyon.', media_type: null, bytes: 12 }],
      }),
      'POST /mcp-servers/s1/resources': () => ({
        parts: [{ text: 'Lyon, Nantes', media_type: 'text/plain', bytes: 12 }],
      }),
    })
    await user.click(await screen.findByRole('tab', { name: /^Prompts/ }))
    await user.click(await screen.findByText('review'))
    await user.type(screen.getByLabelText('site'), 'Lyon')
    await user.click(screen.getByRole('button', { name: 'Write it' }))
    expect(await screen.findByText('Review Lyon.')).toBeTruthy()
    expect(sentTo('POST', '/mcp-servers/s1/prompts')).toEqual({ name: 'review', arguments: { site: 'Lyon' } })
    await user.click(screen.getByRole('tab', { name: /^Resources/ }))
    await user.click(screen.getAllByRole('button', { name: 'Read' })[0] as HTMLElement)
    expect(await screen.findByText('Lyon, Nantes')).toBeTruthy()
  })
})
