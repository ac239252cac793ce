import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aCheckpoint, ID, OTHER_ID, openDebug } from '#tests/web/debug-builder.tsx'
import { WrittenStream } from '#tests/web/event-builder.ts'
import { aUser } from '#tests/web/render-app.tsx'
import { type Answers, leavePage } from '#tests/web/render-page.tsx'
import { aSession } from '#tests/web/session-builder.ts'

vi.setConfig({ testTimeout: 20_000 })
const user = userEvent.setup()
const kit = { aSession, aStream: () => new WrittenStream() }
const open = (more: Answers = {}) => openDebug('agent', kit, more)
const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
afterEach(() => {
  cleanup()
  leavePage()
  error.mockClear()
})

const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => user.click(button(name))
const alerts = () => screen.queryAllByRole('alert').map((alert) => alert.textContent)
const idField = () => screen.getByRole('textbox', { name: 'Session ID' })
const message = () => screen.getByRole('textbox', { name: 'Message for the agent' })

async function typeId(id = ID) {
  await user.clear(idField())
  await user.click(idField())
  await user.paste(id)
}

async function connected(more: Answers = {}) {
  const page = await open(more)
  await typeId()
  await press('Connect to Events')
  await screen.findByText('Connected')
  const [stream] = page.server.streams
  if (!stream) throw new Error('Nothing was opened')
  return { ...page, stream }
}

/** Returns the time of a call, in milliseconds since page load. */
function timeOf({ server }: Pick<Awaited<ReturnType<typeof open>>, 'server'>, method: string, end: string) {
  return server.calls.findLast((call) => call.method === method && call.url.includes(end))?.at ?? Number.NaN
}

describe('authentication', () => {
  it('verifies the typed token [DA-08]', async () => {
    const { answers, server } = await open({
      'GET /users/me': () => aUser({ role: 'super_admin' }),
    })
    await user.clear(screen.getByLabelText('Token', { selector: 'input:not([type=radio])' }))
    await user.type(screen.getByLabelText('Token', { selector: 'input:not([type=radio])' }), 'typed')
    await press('Check Auth')
    expect(await screen.findByText('Valid, super_admin')).toBeTruthy()
    expect(server.calls.findLast(({ url }) => url.endsWith('/users/me'))?.headers.get('authorization')).toBe(
      'Bearer typed',
    )
    answers['GET /users/me'] = () => [401, { detail: 'no', code: 'unauthorized' }]
    await press('Check Auth')
    expect(await screen.findByText('Refused, 401')).toBeTruthy()
    expect(error.mock.calls[0]?.[0]).toBe('Authentication failed')
  })

  it('shows the settings as radio buttons behind a toggle, and sets the cookie on request [DA-08, G-21]', async () => {
    await open()
    const modes = screen.getAllByRole('radio')
    expect(modes.map((mode) => mode.closest('label')?.textContent)).toEqual(['Cookie', 'Token', 'URL'])
    expect(modes[0]).toHaveProperty('checked', true)
    await user.click(screen.getByRole('radio', { name: 'URL' }))
    expect(screen.getByRole('textbox', { name: 'Stream URL' })).toBeTruthy()
    // biome-ignore lint/suspicious/noDocumentCookie: a test looks at what was written.
    document.cookie = 'sse_auth_token=; path=/; Max-Age=0'
    await press('Create SSE Cookie')
    expect(document.cookie).toContain('sse_auth_token=test-token')
    expect(button('Auth Settings').getAttribute('aria-expanded')).toBe('true')
    await press('Auth Settings')
    expect(screen.queryByRole('button', { name: 'Create SSE Cookie' })).toBeNull()
  })
})

describe('the session', () => {
  it('can be typed, selected, created or reloaded [DA-10]', async () => {
    const { paths, server } = await open({
      'POST /sessions': () => [201, { ...server.session, id: ID }],
    })
    const select = screen.getByRole('combobox', { name: 'Or pick one' })
    await within(select).findByRole('option', { name: 'Session aaaaaaaa' })
    expect(within(select).getByRole('option', { name: 'Renewals' })).toBeTruthy()
    await user.selectOptions(select, OTHER_ID)
    expect(idField()).toHaveProperty('value', OTHER_ID)
    const listed = paths('GET', '/sessions').length
    await press('Refresh')
    await waitFor(() => expect(paths('GET', '/sessions').length).toBe(listed + 1))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Agent type' }), 'Plan and Act')
    await press('Create New Session')
    await waitFor(() => expect(idField()).toHaveProperty('value', ID))
    expect(paths('POST', '/sessions')[0]?.body).toEqual({ session_metadata: { agent_type: 'plan_and_act' } })
    await waitFor(() => expect(paths('GET', `/sessions/${ID}`)).toHaveLength(1))
    await press('Refresh Details')
    await waitFor(() => expect(paths('GET', `/sessions/${ID}`)).toHaveLength(2))
    await press('Connect to Events')
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }))
    expect(await screen.findByRole('button', { name: 'Connect to Events' })).toBeTruthy()
  })

  it('offers the four agent types, multi-turn first, and deep research after them [DA-11]', async () => {
    await open()
    const select = screen.getByRole('combobox', { name: 'Agent type' })
    expect(
      within(select)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['Single Turn', 'Multi Turn', 'Plan and Act', 'Orchestrator', 'Deep Research'])
    expect(select).toHaveProperty('value', 'multi_turn')
  })

  it('reports empty and invalid ids on connect and on send [DA-15, G-58]', async () => {
    const { paths } = await open()
    await press('Connect to Events')
    expect(alerts()).toEqual(['Please enter a session ID'])
    await user.type(idField(), '123')
    expect(alerts()).toEqual([`Invalid UUID format. Example of valid format: ${ID}`])
    expect(button('Connect to Events')).toHaveProperty('disabled', true)
    await user.type(message(), 'Hello')
    await press('Send Message')
    expect(alerts()).toEqual([`Invalid UUID format. Example of valid format: ${ID}`])
    expect(paths('POST', '/messages')).toEqual([])
  })

  it("shows the server's refusal", async () => {
    await open({ [`GET /sessions/${ID}`]: () => [403, { detail: 'no', code: 'forbidden' }] })
    await typeId()
    expect(await screen.findByRole('alert')).toBeTruthy()
  })

  it('keeps streaming the last valid id while another one is typed', async () => {
    const { server } = await connected()
    await user.type(idField(), '0')
    expect(screen.getByText('The stream of the last valid ID stays connected while you edit.')).toBeTruthy()
    expect(screen.getByText('Connected')).toBeTruthy()
    expect(server.streams).toHaveLength(1)
  })
})

describe('the agent actions', () => {
  it('send a message unless it is blank [DA-12, DA-16]', async () => {
    const { paths } = await open({ 'POST /messages': () => [201, { id: 'message-1' }] })
    await user.type(message(), 'Hello')
    await press('Send Message')
    expect(alerts()).toEqual(['Please enter a session ID'])
    await typeId()
    await user.clear(message())
    await user.type(message(), '   ')
    await press('Send Message')
    expect(alerts()).toEqual(['Please enter a message'])
    await user.type(message(), 'Hello')
    await press('Send Message')
    await waitFor(() => expect(message()).toHaveProperty('value', ''))
    expect(paths('POST', '/messages').map(({ body }) => body)).toEqual([
      { content: '   Hello', chat_session_id: ID, agent_type: 'multi_turn' },
    ])
  })

  it('show why a message was rejected [DA-12]', async () => {
    await open({ 'POST /messages': () => [402, { detail: 'x', code: 'insufficient_balance' }] })
    await typeId()
    await user.type(message(), 'Hello')
    await press('Send Message')
    await waitFor(() => expect(alerts()).toEqual(['Insufficient balance. Please top up to continue.']))
  })

  it('fill the box on Test Task Creation and send 100 ms later [DA-12, DA-21]', async () => {
    let answer = (_: unknown) => {}
    const page = await open({ 'POST /messages': () => new Promise((resolve) => (answer = resolve)) })
    await typeId()
    const pressed = performance.now()
    await press('Test Task Creation')
    expect(message()).toHaveProperty('value', 'What is 17 times 23, then what is the half of that?')
    await waitFor(() => expect(page.paths('POST', '/messages')).toHaveLength(1))
    expect(timeOf(page, 'POST', '/messages') - pressed).toBeGreaterThan(95)
    answer([201, { id: 'message-1' }])
    await waitFor(() => expect(message()).toHaveProperty('value', ''))
    expect(page.paths('POST', '/messages')[0]?.body).toMatchObject({
      content: 'What is 17 times 23, then what is the half of that?',
    })
  })

  it('require a connection for Fetch Checkpoints [DA-20]', async () => {
    const { paths, server } = await open()
    await typeId()
    await waitFor(() => expect(paths('GET', `/sessions/${ID}/checkpoints`)).toHaveLength(1))
    await press('Fetch Checkpoints')
    expect(alerts()).toEqual(['Please connect to events first'])
    await press('Connect to Events')
    await screen.findByText('Connected')
    server.checkpoints = [aCheckpoint('after_step2')]
    await press('Fetch Checkpoints')
    expect(await screen.findByText('after_step2')).toBeTruthy()
    expect(alerts()).toEqual([])
  })

  it('require a task in progress for Pause [DA-18]', async () => {
    const { server, paths } = await open()
    await typeId()
    expect(await screen.findByText('No active task to pause')).toBeTruthy()
    expect(button('Pause Agent').getAttribute('aria-disabled')).toBe('true')
    await press('Pause Agent')
    expect(alerts()).toEqual(['No active task to pause'])
    server.session = { ...server.session, agent_status: 'paused', processing_task_id: 'run-1' }
    await press('Refresh Details')
    await screen.findByText('paused')
    await press('Pause Agent')
    expect(alerts()).toEqual(['No active processing task to pause'])
    expect(paths('POST', `/sessions/${ID}/pause`)).toEqual([])
  })

  it('fetch the checkpoints 1 s after a pause [DA-18, DA-21]', async () => {
    const page = await open({
      [`POST /sessions/${ID}/pause`]: () => ({ status: 'pause_requested', message: 'x' }),
    })
    page.server.session = { ...page.server.session, agent_status: 'processing', processing_task_id: 'run-1' }
    await typeId()
    await screen.findByText('processing')
    await press('Pause Agent')
    await waitFor(() => expect(page.paths('POST', `/sessions/${ID}/pause`)).toHaveLength(1))
    const looks = page.paths('GET', `/sessions/${ID}/checkpoints`).length
    await waitFor(() => expect(page.paths('GET', `/sessions/${ID}/checkpoints`)).toHaveLength(looks + 1))
    expect(timeOf(page, 'GET', '/checkpoints') - timeOf(page, 'POST', '/pause')).toBeGreaterThan(950)
  })

  it('require a checkpoint for Resume [DA-17]', async () => {
    const { server, paths } = await open({
      [`POST /sessions/${ID}/resume`]: () => ({ status: 'resumed', message: 'x' }),
    })
    server.session = { ...server.session, agent_status: 'paused', processing_task_id: 'run-1' }
    server.checkpoints = [
      aCheckpoint('step0'),
      aCheckpoint('after_step2'),
      aCheckpoint('old', { run_id: 'run-0' }),
    ]
    await typeId()
    await user.click(await screen.findByRole('button', { name: 'Resume' }))
    expect(alerts()).toEqual(['Please select a checkpoint to resume from'])
    const select = screen.getByRole('combobox', { name: 'Checkpoint' })
    expect(
      within(select)
        .getAllByRole('option')
        .map((option) => option.textContent?.split(' · ')[0]),
    ).toEqual([...['Choose a checkpoint', 'after_step2', 'step0']])
    await user.selectOptions(select, 'run-1:step0')
    await press('Resume')
    await waitFor(() =>
      expect(paths('POST', `/sessions/${ID}/resume`).map(({ body }) => body)).toEqual([
        { checkpoint: 'run-1:step0', agent_type: 'multi_turn' },
      ]),
    )
  })

  it('select the newest checkpoint on Resume Latest and resume 500 ms later [DA-19]', async () => {
    const page = await open({
      [`POST /sessions/${ID}/resume`]: () => ({ status: 'resumed', message: 'x' }),
    })
    const { server, paths } = page
    server.session = { ...server.session, agent_status: 'paused', processing_task_id: 'run-1' }
    await typeId()
    await screen.findByText('No checkpoints yet.')
    await press('Resume Latest')
    expect(alerts()).toEqual(['No checkpoints available. Pause an agent first.'])
    await press('Connect to Events')
    await screen.findByText('Connected')
    server.checkpoints = [aCheckpoint('step0'), aCheckpoint('after_step2')]
    await press('Fetch Checkpoints')
    await screen.findByRole('option', { name: /after_step2/ })
    const pressed = performance.now()
    await press('Resume Latest')
    expect(screen.getByRole('combobox', { name: 'Checkpoint' })).toHaveProperty('value', 'run-1:after_step2')
    await waitFor(() => expect(paths('POST', `/sessions/${ID}/resume`)).toHaveLength(1))
    expect(timeOf(page, 'POST', '/resume') - pressed).toBeGreaterThan(490)
    expect(paths('POST', `/sessions/${ID}/resume`)[0]?.body).toMatchObject({
      checkpoint: 'run-1:after_step2',
    })
  })
})

describe('the agent state', () => {
  it('shows status, task and checkpoints with times [DA-13]', async () => {
    const { server } = await open()
    const task = '41d7aaaa-0000-4000-8000-00000000 0b2e'.replace(' ', '')
    server.session = { ...server.session, agent_status: 'paused', processing_task_id: task }
    server.checkpoints = [aCheckpoint('after_step2', { run_id: task })]
    await typeId()
    expect(await screen.findByText('paused')).toBeTruthy()
    expect(screen.getByText('task 41d7…0b2e').title).toBe(task)
    const list = await screen.findByRole('list', { name: 'Checkpoints' })
    expect(within(list).getByText('after_step2')).toBeTruthy()
    expect(within(list).getByText(/^\d\d:\d\d:24$/).tagName).toBe('TIME')
    expect(screen.getByRole('button', { name: 'Resume' })).toBeTruthy()
    server.session = { ...server.session, agent_status: null, processing_task_id: null }
    await press('Refresh Details')
    expect(await screen.findByText('unknown')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull()
  })

  it.each([
    ['agent_processing_started', true, false],
    ['agent_processing_error', true, false],
    ['agent_task_resumed', true, false],
    ['agent_processing_complete', true, true],
    ['agent_task_paused', true, true],
    ['checkpoint_created', false, true],
    ['ping', false, false],
  ])('refreshes the affected data on %s [DA-22]', async (event, session, checkpoints) => {
    const { stream, paths } = await connected()
    await screen.findByText('No checkpoints yet.')
    const read = () => [
      paths('GET', `/sessions/${ID}`).length,
      paths('GET', `/sessions/${ID}/checkpoints`).length,
    ]
    const before = read()
    stream.write(`event: ${event}\ndata: {}\n\nevent: test_event\ndata: {}\n\n`)
    await waitFor(() => expect(document.querySelector('[data-event="test_event"]')).not.toBeNull())
    await waitFor(() =>
      expect(read()).toEqual([before[0]! + Number(session), before[1]! + Number(checkpoints)]),
    )
  })

  it('updates status and progress from events [DA-23, DA-24]', async () => {
    const { stream } = await connected()
    stream.write('event: agent_status\ndata: {"agent_status":"processing"}\n\n')
    expect(await screen.findByText('processing')).toBeTruthy()
    stream.write('event: agent_step_started\ndata: {"number":3,"description":"x"}\n\n')
    stream.write('event: agent_progress\ndata: {"progress":62,"step_name":"check_rates"}\n\n')
    expect(await screen.findByText('step 3 · 62.00 % · check_rates')).toBeTruthy()
    expect(screen.getByRole('progressbar', { name: 'Progress' }).getAttribute('aria-valuenow')).toBe('62')
  })

  it('has a clearable log with a height of 240 px [DA-14]', async () => {
    const { stream } = await connected()
    const log = screen.getByRole('log', { name: 'Event log' })
    expect(log.style.height).toBe('240px')
    for (const piece of ['One ', 'two ', 'three'])
      stream.write(`event: agent_response_chunk\ndata: {"content":"${piece}"}\n\n`)
    expect(await within(log).findByText('×3')).toBeTruthy()
    expect(log.textContent).toContain('One two three')
    expect(screen.getByText('1 of 3')).toBeTruthy()
    await press('Clear')
    await waitFor(() => expect(log.textContent).not.toContain('agent_response_chunk'))
  })
})
