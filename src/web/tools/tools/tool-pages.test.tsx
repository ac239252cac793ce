import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolExecution } from '#shared/tools/tools/tools.ts'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aRequest } from '#tests/web/request-builder.ts'
import { aSession } from '#tests/web/session-builder.ts'
import { aPastExecution, aTool, anExecution as theExecution } from '#tests/web/tool-builder.ts'
import { STORAGE_KEY, selectTool } from '../../platform/lib/selected-tools.ts'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
const session = aSession({ title: 'Renewals' })
afterEach(() => {
  leaveApp()
  selectTool(session.id, null)
})

const calculator = aTool({
  ...{ id: 'calculator', ui_name: 'Calculator', icon: 'calculator', limit_seconds: 5 },
  ui_location: { kind: 'internal', name: 'calculator' },
  input_schema: {
    properties: {
      a: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      b: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      operation: { type: 'string', enum: ['add', 'subtract', 'multiply', 'divide'] },
    },
    required: ['a', 'b', 'operation'],
  },
  example_responses: [{ outputs: { result: 14.9, exact: '14.9' } }],
})
const lookup = aTool({
  id: 'web_lookup',
  ui_name: 'web_lookup',
  description: 'Looks things up.',
  policy: 'ask',
})
const ID = '22222222-2222-4222-8222-222222222222'

const anExecution = (patch: Partial<ToolExecution> = {}) =>
  theExecution({
    ...{ id: ID, tool_id: 'calculator', input: { a: 21, b: 2, operation: 'multiply' } },
    ...{ result: { result: 42, exact: '42' }, ...patch },
  })

const openTools = (path = '/tools', more = {}) =>
  renderApp(path, {
    token: 't',
    answers: aServer({
      ...theSession(session),
      'GET /tools': () => [calculator, lookup],
      'GET /tools/calculator': () => calculator,
      'GET /tools/web_lookup': () => lookup,
      'GET /tool-executions': () => ({ items: [], has_more: false }),
      ...more,
    }),
  })
const tile = async (name: string | RegExp) =>
  (await screen.findByRole('heading', { name, level: 2 })).closest('li') as HTMLElement

/** Returns the search field of the top bar. Narrow screens have a second one above the tools. */
const searchField = () => screen.getAllByRole<HTMLInputElement>('searchbox')[0] as HTMLInputElement

describe('/tools', () => {
  it('lists the tools and saves itself as the last view [RT-09, SV-45]', async () => {
    const { hrefNow } = await openTools()
    await tile('Calculator')
    expect(hrefNow()).toBe('/tools')
    expect(localStorage.getItem('lastPath')).toBe('/tools')
  })

  it("shows name without underscores and description on a card that links to the tool's page [TO-04]", async () => {
    const { hrefNow } = await openTools()
    const card = await tile('Web lookup')
    expect(card.textContent).toContain('Looks things up.')
    expect(card.textContent).toContain('Asks first')
    await user.click(within(card).getByRole('link', { name: 'Details of Web lookup' }))
    await waitFor(() => expect(hrefNow()).toBe('/tools/web_lookup'))
    await waitFor(() => expect(localStorage.getItem('lastPath')).toBe('/tools/web_lookup'))
  })

  it('selects a tool for the chat on click, and replaces it on another click [TO-04, TO-05, MS-15]', async () => {
    await openTools()
    const choice = async (name: string) => within(await tile(name)).findByRole('checkbox')
    await user.click(await choice('Calculator'))
    expect(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '')).toEqual({ [session.id]: 'calculator' })
    // The whole card is clickable.
    await user.click((await tile('Web lookup')).querySelector('label') as HTMLElement)
    expect(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '')).toEqual({ [session.id]: 'web_lookup' })
    expect(((await choice('Calculator')) as HTMLInputElement).checked).toBe(false)
    await user.click(await choice('Web lookup'))
    expect(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '')).toEqual({})
  })

  it('picks the icon by words in the name [TO-15]', async () => {
    const words = {
      ...{ code: 'code', python: 'code', interpreter: 'code', search: 'globe', web: 'globe' },
      ...{ calculator: 'calculator', math: 'calculator', knowledge: 'database', 'q&a': 'database' },
      ...{ database: 'database', zeppelin: 'wrench' },
    }
    const ids = Object.keys(words).map((word) => `my ${word} thing`)
    await openTools('/tools', { 'GET /tools': () => ids.map((id) => aTool({ id })) })
    const iconOf = async (word: string) => {
      const icon = (await tile(new RegExp(`my ${word} thing`, 'i'))).querySelector('svg')
      return [...(icon?.classList ?? [])].find((name) => name.startsWith('lucide-'))
    }
    for (const [word, icon] of Object.entries(words)) expect(await iconOf(word), word).toBe(`lucide-${icon}`)
  })

  it('reports a failed load and offers a retry', async () => {
    let isUp = false
    await openTools('/tools', {
      'GET /tools': () => (isUp ? [calculator] : [400, { code: 'malformed', detail: 'no' }]),
    })
    expect((await screen.findAllByText('Failed to load tools')).length).toBeGreaterThan(0)
    isUp = true
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await tile('Calculator')
  })

  it('finds tools by name and reports an empty result', async () => {
    await openTools()
    await tile('Calculator')
    await user.type(searchField(), 'look')
    expect(screen.queryByRole('heading', { name: 'Calculator', level: 2 })).toBeNull()
    await user.type(searchField(), 'xyz')
    expect(await screen.findByText('No tool is called “lookxyz”.')).toBeTruthy()
  })
})

describe('the tool filter', () => {
  it('stores search and layout in the URL [RT-09, TO-02]', async () => {
    const { hrefNow } = await openTools('/tools?q=look')
    await tile('Web lookup')
    expect(searchField().value).toBe('look')
    expect(screen.queryByRole('heading', { name: 'Calculator', level: 2 })).toBeNull()
    await user.clear(searchField())
    await tile('Calculator')
    await waitFor(() => expect(hrefNow()).toBe('/tools'))
    await user.click(screen.getByRole('button', { name: 'As a list' }))
    await waitFor(() => expect(hrefNow()).toBe('/tools?view=list'))
    await user.type(searchField(), 'calc')
    await waitFor(() => expect(hrefNow()).toContain('q=calc'))
    expect(hrefNow()).toContain('view=list')
  })

  it('filters by kind and disables kinds without tools [TO-02]', async () => {
    const api = aTool({ id: 'erp', kind: 'api' })
    const { hrefNow } = await openTools('/tools', { 'GET /tools': () => [calculator, api] })
    await tile('Erp')
    expect(screen.getByRole('button', { name: 'MCP' })).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('button', { name: 'APIs' }))
    await waitFor(() => expect(hrefNow()).toBe('/tools?kind=api'))
    expect(screen.queryByRole('heading', { name: 'Calculator', level: 2 })).toBeNull()
    expect((await tile('Erp')).textContent).toContain('API')
    leaveApp()
    await openTools('/tools?kind=mcp')
    expect(await screen.findByText('No tool of this kind')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'All' }))
    await tile('Calculator')
  })
})

describe('/tools/{toolId}', () => {
  const openCalculator = async (more = {}) => {
    const app = await openTools('/tools/calculator', more)
    await screen.findByRole('heading', { name: 'Calculator', level: 1 })
    return app
  }
  const fill = async (a: string, b: string, operation: string) => {
    await user.type(screen.getByLabelText('First number'), a)
    await user.type(screen.getByLabelText('Second number'), b)
    await user.selectOptions(screen.getByLabelText('Operation'), operation)
  }

  it('shows the inputs [RT-09, TO-01]', async () => {
    await openCalculator()
    const rows = screen.getAllByRole('row').map((row) => row.textContent)
    expect(rows).toContain('First numbernumber, required–For instance 1250.5')
    expect(rows.at(-1)).toContain('+ add · − subtract · × multiply · ÷ divide, required')
  })

  it('executes the tool for real and shows the result [SV-50, CA-01]', async () => {
    let reads = 0
    const { called } = await openCalculator({
      'POST /tools/calculator/execute': () => [202, { tool_execution_id: ID, status: 'pending' }],
      [`GET /tool-executions/${ID}`]: () => {
        reads += 1
        return reads === 1
          ? anExecution({ status: 'processing', result: null, finished_at: null })
          : anExecution()
      },
    })
    await fill('21', '2', 'multiply')
    await user.click(screen.getByRole('button', { name: 'Run' }))
    await waitFor(() => expect(screen.getByLabelText('First number')).toHaveProperty('disabled', true))
    expect(await screen.findByText('Completed')).toBeTruthy()
    expect(await screen.findByText('42')).toBeTruthy()
    expect(called('POST /tools/calculator/execute')[0]?.body).toEqual({
      inputs: { a: 21, b: 2, operation: 'multiply' },
    })
    expect(screen.getByLabelText('First number')).toHaveProperty('disabled', false)
  })

  it('selects documents and workspaces by name', async () => {
    const list = { anyOf: [{ type: 'array', items: { type: 'string' } }] }
    const reader = aTool({
      ...{ id: 'reader', ui_name: 'Reader' },
      input_schema: { properties: { document_ids: list, workspace_ids: list }, required: [] },
    })
    const lease = { id: 'd-1', name: 'Lease.pdf' }
    const { called } = await openTools('/tools/reader', {
      'GET /tools': () => [reader],
      'GET /tools/reader': () => reader,
      'GET /documents': () => ({ items: [lease], total: 1, page: 1, has_more: false }),
      'GET /documents/d-1': () => lease,
      'GET /workspaces': () => ({
        items: [{ id: 'w-1', name: 'Legal' }],
        total: 1,
        page: 1,
        has_more: false,
      }),
      'POST /tools/reader/execute': () => [202, { tool_execution_id: ID, status: 'pending' }],
      [`GET /tool-executions/${ID}`]: () => anExecution({ tool_id: 'reader' }),
    })
    await user.click(await screen.findByRole('button', { name: 'Choose documents' }))
    await user.click(await screen.findByRole('button', { name: /Lease\.pdf/ }))
    expect((await screen.findByRole('link', { name: 'Lease.pdf' })).getAttribute('href')).toBe(
      '/documents/preview/d-1',
    )
    await user.click(await screen.findByRole('checkbox', { name: 'Legal' }))
    await user.click(screen.getByRole('button', { name: 'Run' }))
    await waitFor(() =>
      expect(called('POST /tools/reader/execute')[0]?.body).toEqual({
        inputs: { document_ids: ['d-1'], workspace_ids: ['w-1'] },
      }),
    )
  })

  it("shows the tool's question, also after a reload, and continues with the answer [SV-33, SV-50]", async () => {
    let answer: unknown = null
    const tool = { tool_execution_id: ID, tool_id: 'calculator', tool_name: 'Calculator' }
    const waiting = anExecution({
      ...{ status: 'processing', result: null, finished_at: null },
      request: aRequest({ id: 'ask-try', prompt: 'By what?', tool }),
    })
    const { hrefNow } = await openCalculator({
      'POST /tools/calculator/execute': () => [202, { tool_execution_id: ID, status: 'pending' }],
      [`GET /tool-executions/${ID}`]: () => (answer ? anExecution() : waiting),
      [`POST /tool-executions/${ID}/provide-input`]: ({ body }: { body: unknown }) => {
        answer = body
        return { status: 'accepted' }
      },
    })
    await fill('21', '2', 'multiply')
    await user.click(screen.getByRole('button', { name: 'Run' }))
    expect(await screen.findByText('By what?')).toBeTruthy()
    // A reload and the inbox use this URL.
    expect(hrefNow()).toBe(`/tools/calculator?tried=${ID}`)
    expect(screen.getByText('Input', { selector: 'span' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Run' })).toHaveProperty('disabled', true)
    await user.type(screen.getByRole('textbox', { name: 'Text' }), 'two')
    await user.click(screen.getByRole('button', { name: 'Send input' }))
    expect(await screen.findByText('42')).toBeTruthy()
    expect(answer).toEqual({ input: 'two', input_type: 'text' })
    expect(screen.queryByText('By what?')).toBeNull()
  })

  it('shows the execution named in the URL with its inputs, and resets on other inputs [SV-50]', async () => {
    const { hrefNow } = await openTools(`/tools/calculator?tried=${ID}`, {
      [`GET /tool-executions/${ID}`]: () => anExecution(),
    })
    expect(await screen.findByText('42')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('First number').value).toBe('21')
    await user.type(screen.getByLabelText('First number'), '0')
    await waitFor(() => expect(hrefNow()).toBe('/tools/calculator'))
    expect(screen.queryByText('42')).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('First number').value).toBe('210')
  })

  it('lists past executions page by page with result, inputs, place and duration [SV-50]', async () => {
    const { called, hrefNow } = await openCalculator({
      'GET /tool-executions': ({ query }: { query: URLSearchParams }) =>
        query.get('before')
          ? { items: [aPastExecution({ id: 'e3', status: 'error', error: 'No.' })], has_more: false }
          : {
              items: [
                aPastExecution({
                  ...{ id: ID, session_id: session.id, session_title: 'Renewals' },
                  input: { a: 6, b: 7, operation: 'multiply' },
                }),
                aPastExecution({ id: 'e2', waits: true, finished_at: null, status: 'pending' }),
              ],
              has_more: true,
            },
      [`GET /tool-executions/${ID}`]: () => anExecution(),
    })
    const list = (await screen.findByText('6 × 7')).closest('ul') as HTMLElement
    const [first, second] = within(list).getAllByRole('listitem')
    expect(first?.textContent).toMatch(/Completed6 × 7Renewals18 s1 Jan/)
    expect(
      within(first as HTMLElement)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe(`/chat/${session.id}`)
    expect(second?.textContent).toContain('Waiting for you')
    expect(second?.textContent).toContain('Tried here')
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    expect(await within(list).findByText('Error')).toBeTruthy()
    expect(called('GET /tool-executions').at(-1)?.query.get('before')).toBe('e2')
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    await user.click(within(list).getByRole('button', { name: 'Details: 6 × 7' }))
    const details = await screen.findByRole('dialog', { name: 'Tool details' })
    expect(await within(details).findByText('42', { selector: 'b' })).toBeTruthy()
    expect(hrefNow()).toBe(`/tools/calculator?execution=${ID}`)
    await user.click(within(details).getByRole('button', { name: 'Close panel' }))
    await waitFor(() => expect(hrefNow()).toBe('/tools/calculator'))
  })

  it('shows a call that gave up as failed, like its card', async () => {
    await openCalculator({
      'GET /tool-executions': () => ({ items: [aPastExecution({ gave_up: true })], has_more: false }),
    })
    expect(await screen.findByText('Error')).toBeTruthy()
    expect(screen.queryByText('Completed')).toBeNull()
  })

  it('shows an empty history and a failed load', async () => {
    await openCalculator()
    expect(await screen.findByText('You have not used this tool yet.')).toBeTruthy()
    leaveApp()
    await openCalculator({ 'GET /tool-executions': () => [400, { code: 'malformed', detail: 'no' }] })
    expect(await screen.findByText('What it was used for could not be loaded.')).toBeTruthy()
  })

  it('reports each invalid input [SV-50]', async () => {
    const errors = [{ path: 'b', message: 'Too large' }]
    await openCalculator({
      'POST /tools/calculator/execute': () => [422, { code: 'invalid', detail: 'b: Too large', errors }],
    })
    await fill('1', '2', 'add')
    await user.click(screen.getByRole('button', { name: 'Run' }))
    expect(await screen.findByText('Too large')).toBeTruthy()
    expect(screen.getByLabelText('Second number').getAttribute('aria-invalid')).toBe('true')
  })

  it('reports a division by zero in the preview [CA-02, TO-09]', async () => {
    await openCalculator()
    await fill('612400', '0', 'divide')
    expect(await screen.findByText('Division by zero has no result.')).toBeTruthy()
    expect(screen.getByText('Input', { selector: 'span' })).toBeTruthy()
  })

  it('disables inputs in test mode and shows labelled examples [TO-12, R-17]', async () => {
    await openCalculator()
    expect(screen.queryByText('Example')).toBeNull()
    await user.click(screen.getByRole('switch', { name: 'Test mode' }))
    expect(screen.getByLabelText('First number')).toHaveProperty('disabled', true)
    expect(screen.getByLabelText('Operation')).toHaveProperty('disabled', true)
    expect(screen.queryByRole('button', { name: 'Run' })).toBeNull()
    expect(screen.getByText('Example')).toBeTruthy()
    expect(await screen.findByText('14.9')).toBeTruthy()
  })

  it('lets the user choose the permission [SV-96]', async () => {
    const { called } = await openCalculator({
      'PUT /tools/calculator/policy': () => ({ tool_id: 'calculator', policy: 'never', source: 'user' }),
    })
    expect(screen.getByRole('radio', { name: /^Auto/ })).toHaveProperty('checked', true)
    await user.click(screen.getByRole('radio', { name: /^Never/ }))
    expect(called('PUT /tools/calculator/policy')[0]?.body).toEqual({ policy: 'never' })
    expect(await screen.findByText('Never used')).toBeTruthy()
    expect(screen.getByRole('radio', { name: /^Never/ })).toHaveProperty('checked', true)
  })

  it('reports a missing tool and a failed load [BL-13]', async () => {
    await openTools('/tools/nothing')
    expect(await screen.findByText('Tool with ID nothing not found.')).toBeTruthy()
    leaveApp()
    await openTools('/tools/other', { 'GET /tools/other': () => [400, { code: 'malformed', detail: 'no' }] })
    expect((await screen.findAllByText('Failed to load tool details')).length).toBeGreaterThan(0)
  })
})
