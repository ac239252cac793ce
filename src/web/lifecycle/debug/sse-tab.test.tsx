import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ID, OTHER_ID, openDebug } from '#tests/web/debug-builder.tsx'
import { WrittenStream } from '#tests/web/event-builder.ts'
import { type Answers, leavePage } from '#tests/web/render-page.tsx'
import { aSession } from '#tests/web/session-builder.ts'

vi.setConfig({ testTimeout: 20_000 })
const user = userEvent.setup()
const kit = { aSession, aStream: () => new WrittenStream() }
const open = (more: Answers = {}) => openDebug('sse', kit, more)
const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
afterEach(() => {
  cleanup()
  leavePage()
  error.mockClear()
})

const press = (name: string) => user.click(screen.getByRole('button', { name }))
const rows = () => [...document.querySelectorAll('[data-event]')].map((row) => row.textContent)
const events = () =>
  [...document.querySelectorAll('[data-event]')].map((row) => row.getAttribute('data-event'))
const sessionField = () => screen.getByRole('textbox', { name: 'Session ID' })

async function connected(more: Answers = {}) {
  const page = await open(more)
  await user.click(sessionField())
  await user.paste(ID)
  await press('Connect')
  await screen.findByText('Connected')
  const [stream] = page.server.streams
  if (!stream) throw new Error('Nothing was opened')
  return { ...page, stream }
}

describe('the SSE tab', () => {
  it('is the second of two tabs, with its own address [DA-01, G-66]', async () => {
    const { pathNow } = await openDebug('agent', kit)
    const tabs = screen.getAllByRole('tab').map((tab) => tab.textContent)
    expect(tabs).toEqual(['Agent Testing', 'SSE Testing'])
    await user.click(screen.getByRole('tab', { name: 'SSE Testing' }))
    expect(await screen.findByRole('button', { name: 'Send Test Event' })).toBeTruthy()
    expect(pathNow()).toBe('/debug')
  })

  it('has its six buttons and a badge [DA-02]', async () => {
    const { server } = await open()
    for (const name of [
      'Connect',
      'Disconnect',
      'List Sessions',
      'Auth Settings',
      'Clear Events',
      'Send Test Event',
    ])
      expect(screen.getByRole('button', { name })).toBeTruthy()
    expect(screen.getByText('Disconnected')).toBeTruthy()
    await user.click(sessionField())
    await user.paste(ID)
    await press('Connect')
    expect(await screen.findByText('Connected')).toBeTruthy()
    await press('Disconnect')
    expect(await screen.findByText('Disconnected')).toBeTruthy()
    expect(server.calls.find(({ url }) => url.endsWith('/events'))?.signal?.aborted).toBe(true)
  })

  it('lists what comes with its time, coloured by type; clears it on request [DA-03]', async () => {
    const { stream } = await connected()
    stream.write('event: connection_established\ndata: {"session_id":"x"}\n\n')
    stream.write(
      'event: agent_progress\nid: 7000000209\ndata: {"run_id":"r","progress":38,"step_name":"read"}\n\n',
    )
    stream.write('event: ping\ndata: {}\n\n')
    await waitFor(() => expect(events()).toEqual(['connection_established', 'agent_progress']))
    expect(rows()[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3}connection_established\{"session_id":"x"\}$/)
    const list = screen.getByRole('listbox', { name: 'Events' })
    expect(within(list).getByText('connection_established').className).toContain('--tag-green')
    expect(list.style.height).toBe('400px')
    expect(list.className).toContain('overflow-y-auto')
    expect(screen.getByText(/last id 7.000.000.209/)).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: 'Hide ping' }))
    expect(events()).toContain('ping')
    await press('Clear Events')
    await waitFor(() => expect(events()).toEqual([]))
  })

  it('shows progress as a percentage with two decimals [DA-23]', async () => {
    const { stream } = await connected()
    stream.write('event: agent_progress\ndata: {"progress":38,"step_name":"extract_clauses"}\n\n')
    await waitFor(() => expect(rows()[0]).toContain('38.00\u00a0% · extract_clauses'))
  })

  it('shows the data of the event that is chosen, by mouse or keyboard [DA-24]', async () => {
    const { stream } = await connected()
    stream.write(
      'event: test_event\nid: 4\ndata: {"n":1}\n\nevent: agent_status\ndata: {"agent_status":"paused"}\n\n',
    )
    await waitFor(() => expect(events()).toHaveLength(2))
    const list = screen.getByRole('listbox', { name: 'Events' })
    await user.click(within(list).getByRole('option', { name: /test_event/ }))
    expect(document.querySelector('pre')?.textContent).toBe('{\n  "n": 1\n}')
    list.focus()
    await user.keyboard('{ArrowDown}')
    expect(document.querySelector('pre')?.textContent).toContain('"paused"')
    expect(within(list).getByRole('option', { selected: true }).textContent).toContain('agent_status')
  })

  it('shows chunks and what they were put together to [DA-24]', async () => {
    const { stream } = await connected()
    const piece = (chunk_index: number, data: string) =>
      `event: tool_update_delta_sse\ndata: ${JSON.stringify({ chunk_id: 'c', chunk_index, total_chunks: 2, original_event_type: 'tool_update', data })}\n\n`
    stream.write(piece(0, '{"a":'), piece(1, '"long"}'))
    await waitFor(() =>
      expect(events()).toEqual(['tool_update_delta_sse', 'tool_update_delta_sse', 'tool_update']),
    )
    expect(rows()[2]).toContain('reassembled from 2 chunks, 1 KB')
  })

  it('an empty id is asked for, a wrong one is said and cannot be connected to [DA-15]', async () => {
    await open()
    await press('Connect')
    expect(screen.getByRole('alert').textContent).toBe('Please enter a session ID')
    await user.type(sessionField(), 'abc')
    expect(screen.getByRole('alert').textContent).toBe(`Invalid UUID format. Example of valid format: ${ID}`)
    expect(screen.getByRole('button', { name: 'Connect' })).toHaveProperty('disabled', true)
  })

  it('says that it tries again, and afterwards how long it took [DA-07]', async () => {
    const { stream, server } = await connected()
    stream.break()
    expect(
      (await screen.findAllByText('Connection lost, attempting to reconnect...')).length,
    ).toBeGreaterThan(0)
    expect(screen.getByText('Connecting')).toBeTruthy()
    await waitFor(() => expect(server.streams).toHaveLength(2), { timeout: 3000 })
    expect(await screen.findByText('Connected')).toBeTruthy()
    expect(screen.getByText(/^The stream was cut at .* came back after \d s\.$/)).toBeTruthy()
    expect(events()).toEqual(['error'])
  })

  it('a refused or ended connection names its probable causes [DA-07]', async () => {
    const { server } = await open({
      [`GET /sessions/${ID}/events`]: () => [403, { detail: 'no', code: 'forbidden' }],
    })
    await user.click(sessionField())
    await user.paste(ID)
    await press('Connect')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toMatch(/refused at .* \(403\).*Probable causes: the cookie or token expired/)
    expect(screen.getByText('Disconnected')).toBeTruthy()
    expect(server.calls.filter(({ url }) => url.endsWith('/events'))).toHaveLength(1)
  })
})

describe('who asks', () => {
  const eventCalls = (server: Awaited<ReturnType<typeof open>>['server']) =>
    server.calls.filter(({ url }) => url.includes('/events'))

  it('the cookie is the default, written before connecting [DA-04, ST-29]', async () => {
    const { server } = await open()
    expect(screen.getByRole('tab', { name: 'Cookie', selected: true })).toBeTruthy()
    expect(
      screen
        .getAllByRole('tab')
        .slice(2)
        .map((tab) => tab.textContent),
    ).toEqual(['Cookie', 'Token', 'URL'])
    expect(screen.getByRole('checkbox', { name: 'Create special SSE auth cookie' })).toHaveProperty(
      'checked',
      true,
    )
    // biome-ignore lint/suspicious/noDocumentCookie: a test looks at what was written.
    document.cookie = 'sse_auth_token=; path=/; Max-Age=0'
    await user.click(sessionField())
    await user.paste(ID)
    await press('Connect')
    await screen.findByText('Connected')
    expect(document.cookie).toContain('sse_auth_token=test-token')
    expect(eventCalls(server)[0]).toMatchObject({ credentials: 'same-origin' })
    expect(eventCalls(server)[0]?.url).toMatch(/\/events$/)
    expect(eventCalls(server)[0]?.headers.has('authorization')).toBe(false)
  })

  it('the token mode asks with a query parameter, and without cookies [ST-29, G-20]', async () => {
    const { server } = await open()
    await user.click(screen.getByRole('tab', { name: 'Token' }))
    const field = await screen.findByLabelText('Token', { selector: 'input' })
    await user.clear(field)
    await user.type(field, 'other token')
    await user.click(sessionField())
    await user.paste(ID)
    await press('Connect')
    await screen.findByText('Connected')
    expect(eventCalls(server)[0]).toMatchObject({ credentials: 'omit' })
    expect(eventCalls(server)[0]?.url).toMatch(/\/events\?token=other%20token$/)
  })

  it('the URL mode opens the address that was typed [ST-29, G-20]', async () => {
    const { server } = await open()
    await user.click(screen.getByRole('tab', { name: 'URL' }))
    await press('Connect')
    expect(screen.getByRole('alert').textContent).toBe(
      'Please enter a URL that starts with http:// or https://',
    )
    const url = `http://localhost/api/v1/sessions/${ID}/events?token=abc`
    await user.click(screen.getByRole('textbox', { name: 'Stream URL' }))
    await user.paste(url)
    await press('Connect')
    await screen.findByText('Connected')
    expect(eventCalls(server)[0]?.url).toBe(url)
  })

  it('Check Auth Status reads the sessions [DA-05]', async () => {
    const { answers, paths } = await open()
    await press('Check Auth Status')
    expect(await screen.findByText('200, 41 sessions')).toBeTruthy()
    expect(paths('GET', '/sessions')[0]?.query.toString()).toBe('')
    answers['GET /sessions'] = () => [401, { detail: 'no', code: 'unauthorized' }]
    await press('Check Auth Status')
    expect(await screen.findByText('Refused, 401')).toBeTruthy()
    expect(error.mock.calls.map(([text]) => text)).toContain('Error fetching sessions')
  })
})

describe('test events', () => {
  const dataField = () => screen.getByRole('textbox', { name: 'JSON data' })

  it('go out with the bearer header [DA-06, DA-09]', async () => {
    const { server, paths } = await connected({
      [`POST /sessions/${ID}/test-event`]: () => ({ status: 'success', message: 'Sent' }),
    })
    expect(screen.getByRole('textbox', { name: 'Event type' })).toHaveProperty('value', 'test_event')
    expect(JSON.parse(dataField().textContent ?? '')).toHaveProperty('message')
    await press('Send Test Event')
    await screen.findByText('Sent')
    const [sent] = paths('POST', `/sessions/${ID}/test-event`)
    expect(sent?.body).toEqual({ event_type: 'test_event', data: { message: 'Hello from the debug area' } })
    const call = server.calls.find(({ method }) => method === 'POST')
    expect(call?.headers.get('authorization')).toBe('Bearer test-token')
  })

  it('invalid JSON is not sent [DA-06]', async () => {
    const { paths } = await connected()
    await user.clear(dataField())
    await user.click(dataField())
    await user.paste('{ "n": }')
    await press('Send Test Event')
    expect(screen.getByRole('alert').textContent).toBe('Invalid JSON for event data')
    expect(dataField().getAttribute('aria-invalid')).toBe('true')
    expect(paths('POST', `/sessions/${ID}/test-event`)).toEqual([])
  })

  it('a failure is logged with status and text [DA-25]', async () => {
    await connected({
      [`POST /sessions/${ID}/test-event`]: () => [500, { detail: 'The disk is full' }],
    })
    await press('Send Test Event')
    await waitFor(() =>
      expect(error.mock.calls).toContainEqual(['Error sending test event: 500 The disk is full']),
    )
  })

  it('an alert appears when a test event is sent without a session [DA-15]', async () => {
    await open()
    await press('Send Test Event')
    expect(screen.getByRole('alert').textContent).toBe('Please enter a session ID')
  })
})

describe('the list of sessions', () => {
  it('names them, and one can be used [DA-02, DA-10, G-10]', async () => {
    await open()
    await press('List Sessions')
    const table = await screen.findByRole('table', { name: 'Sessions' })
    expect(within(table).getByText('Renewals')).toBeTruthy()
    expect(within(table).getByText('Session aaaaaaaa')).toBeTruthy()
    await press('Use Session aaaaaaaa')
    expect(sessionField()).toHaveProperty('value', OTHER_ID)
  })

  it('says when they cannot be loaded, and tries again', async () => {
    const { answers } = await open({ 'GET /sessions': () => [403, { detail: 'Not yours' }] })
    await press('List Sessions')
    expect((await screen.findByRole('alert')).textContent).toContain('The sessions could not be loaded.')
    answers['GET /sessions'] = () => []
    await press('Try again')
    expect(await screen.findByText('There are no sessions yet.')).toBeTruthy()
  })
})
