import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OwnTool } from '#shared/tools/own-tools/own-tools.ts'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { aTool } from '#tests/web/tool-builder.ts'

beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const score = aTool({
  ...{ id: 'tabcdefg_score', kind: 'api', ui_name: 'Supplier score', description: 'Health.' },
  ...{ own: true, version: 2, input_schema: { properties: { siren: { type: 'string' } } } },
})
const own: OwnTool = {
  tool: score,
  set: { id: 's1', name: 'Supplier score', kind: 'api', tools: 1, imported: false },
  call: {
    ...{
      method: 'GET',
      address: 'https://example.com/{siren}',
      media: 'application/json',
      headers: {},
      seconds: 20,
    },
    inputs: [
      { name: 'siren', place: 'path', description: 'Digits', required: true, schema: { type: 'string' } },
    ],
    answer: { keep: ['$.score'], most_characters: 50_000, schema: null },
  },
  auth: { kind: 'api_key', place: 'header', name: 'X-Api-Key' },
  ...{ policy: null, secrets: [{ name: 'api_key', updated_at: '2026-11-01T10:00:00Z' }], companies: [] },
}

type Sent = { body: unknown }
const open = (path: string, answers: Record<string, (sent: Sent) => unknown> = {}) =>
  renderApp(path, {
    token: 't',
    answers: aServer({
      'GET /tools': () => [score],
      'GET /tool-executions': () => ({ items: [], has_more: false }),
      [`GET /tools/${score.id}`]: () => score,
      [`GET /tools/${score.id}/definition`]: () => own,
      ...answers,
    }),
  })
const toastOf = (text: string) => waitFor(() => expect(screen.getAllByText(text).length).toBeGreaterThan(0))

const fails = [422, { detail: 'The address must begin with https://.', code: 'invalid' }]
const path = `/tools/${score.id}`

describe('the form of an own tool', () => {
  it.each([
    ['Tool created successfully', score],
    ['Failed to create tool', fails],
  ])('sends the form and shows “%s” [TO-19]', async (said, answer) => {
    const { sent } = await open('/tools/create', { 'POST /tools': () => answer })
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Score')
    await user.type(screen.getByLabelText('Description'), 'Health.')
    fireEvent.change(screen.getByLabelText('Address'), { target: { value: 'https://example.com/{siren}' } })
    // A name in braces becomes a path input.
    const row = screen.getByRole('group', { name: 'siren' })
    expect(within(row).getByLabelText<HTMLSelectElement>('Sent in').value).toBe('path')
    await user.click(screen.getByRole('button', { name: 'Create tool' }))
    await toastOf(said)
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      ...{ ui_name: 'Score', description: 'Health.', auth: { kind: 'none' }, policy: null },
      call: {
        method: 'GET',
        address: 'https://example.com/{siren}',
        inputs: [{ name: 'siren', place: 'path' }],
      },
    })
    if (answer === fails) expect(screen.getByText('The address must begin with https://.')).toBeTruthy()
    else expect(await screen.findByRole('link', { name: 'Edit' })).toBeTruthy()
  })

  it.each([
    ['Tool updated successfully', score],
    ['Failed to update tool', fails],
  ])('shows “%s” [TO-19]', async (said, answer) => {
    await open(`${path}/edit`, { [`PUT ${path}`]: () => answer })
    const user = userEvent.setup()
    await user.type(await screen.findByLabelText('Description'), ' More.')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await toastOf(said)
  })

  it.each([
    ['Tool deleted successfully', { message: 'The tool was deleted.' }],
    ['Failed to delete tool', fails],
  ])('asks before deleting a tool and shows “%s” [TO-19]', async (said, answer) => {
    await open(path, { [`DELETE ${path}`]: () => answer })
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: /^Delete “Supplier score”/ })
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await toastOf(said)
  })

  it('indicates a stored secret, and sends a secret only when re-entered', async () => {
    let sent: unknown = null
    await open(`/tools/${score.id}/edit`, {
      [`PUT /tools/${score.id}`]: ({ body }) => {
        sent = body
        return score
      },
    })
    const user = userEvent.setup()
    await user.click(await screen.findByRole('tab', { name: /Authentication/ }))
    const key = screen.getByLabelText<HTMLInputElement>('API key', { selector: 'input' })
    expect(key.value).toBe('')
    expect(screen.getByText(/^Saved on .+ What you enter here replaces it\.$/)).toBeTruthy()
    await user.type(key, 'anew')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toMatchObject({ secrets: { api_key: 'anew' } }))
  })
})

describe('a test run of a tool', () => {
  it("shows the model's view, the raw answer and the request", async () => {
    const tried = {
      request: {
        method: 'GET',
        url: 'https://example.com/1',
        headers: { 'x-api-key': '•••• api_key' },
        body: null,
      },
      answer: {
        status: 200,
        ms: 12,
        bytes: 40,
        content_type: 'application/json',
        raw: 'all of it',
        seen: { score: 71 },
      },
      problem: null,
    }
    await open(`/tools/${score.id}/edit`, { 'POST /tools/try': () => tried })
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Run test' }))
    expect(await screen.findByText(/"score": 71/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Raw' }))
    expect(screen.getByText('all of it')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Request' }))
    expect(screen.getByText(/x-api-key: •••• api_key/)).toBeTruthy()
  })
})

describe('the import of an API description', () => {
  it('lists and filters operations, and imports the selected ones [XT-02]', async () => {
    const operation = (key: string, unusable: string | null = null) => {
      const [method, path] = key.split(' ')
      return { key, method, path, tag: 'Orders', summary: `${method} of orders`, unusable }
    }
    let sent: unknown = null
    await open('/tools/openapi', {
      'POST /tools/openapi/read': () => ({
        ...{
          title: 'Shop',
          version: '1',
          format: 'OpenAPI 3.1',
          servers: ['https://shop.example'],
          characters: 10,
        },
        auths: [{ name: 'key', auth: { kind: 'bearer' }, operations: 2 }],
        operations: [
          operation('GET /orders'),
          operation('DELETE /orders'),
          operation('PUT /raw', 'it takes bytes'),
        ],
      }),
      'POST /tools/openapi': ({ body }) => {
        sent = body
        return { set_id: 's', added: ['GET /orders', 'DELETE /orders'], changed: [], removed: [], same: 0 }
      },
    })
    const user = userEvent.setup()
    await user.type(await screen.findByLabelText(/^Address or text/), 'https://shop.example/openapi.json')
    await user.click(screen.getByRole('button', { name: 'Read' }))
    expect(await screen.findByText('Cannot be imported: it takes bytes')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'PUT /raw' }).disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: /^Changes 2$/ }))
    expect(screen.queryByRole('checkbox', { name: 'GET /orders' })).toBeNull()
    await user.click(screen.getByRole('button', { name: /^All 3$/ }))
    await user.click(screen.getByRole('checkbox', { name: 'Choose all that match' }))
    expect(screen.getByText(/2 chosen\. 1 changes data and asks first\./)).toBeTruthy()
    await user.type(screen.getByLabelText('Token', { selector: 'input' }), 'secret')
    await user.click(screen.getByRole('button', { name: 'Import 2 operations' }))
    await toastOf('2 tools imported')
    expect(sent).toMatchObject({
      ...{ address: 'https://shop.example/openapi.json', server: 'https://shop.example', dry_run: false },
      ...{ auth: { kind: 'bearer' }, secrets: { token: 'secret' } },
      operations: [
        { key: 'GET /orders', policy: null },
        { key: 'DELETE /orders', policy: null },
      ],
    })
  })
})
