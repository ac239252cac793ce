import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OwnTool } from '#shared/tools/own-tools/own-tools.ts'
import type { ModuleUi, RemoteUi, UploadedUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { aTool } from '#tests/web/tool-builder.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'

const user = userEvent.setup()
beforeEach(() => {
  prepareBrowser()
  queryClient.clear()
})
afterEach(() => leaveApp())

const id = 'tabcdefg_score'
const sri = `sha384-${'a'.repeat(64)}`
const approved: RemoteUi = {
  ...{ kind: 'remote', url: 'https://scoring.example/ui.js', sri },
  ...{ connect: ['https://scoring.example'], calls: ['calculator'] },
}

const uploaded: UploadedUi = {
  ...{ kind: 'uploaded', file: { name: 'score.mjs', size: 16 }, sri, connect: [], calls: [] },
}

/** Opens the form of a tool. The test server stores the interface it receives. */
async function open(put?: () => unknown) {
  let ui: ModuleUi | null = null
  const tool = () => aTool({ id, kind: 'api', ui_name: 'Score', own: true, version: 1, ui_location: ui })
  const own = (): OwnTool => ({
    tool: tool(),
    set: { id: 's1', name: 'Score', kind: 'api', tools: 1, imported: false },
    call: {
      ...{ method: 'GET', address: 'https://example.com/score', media: 'application/json', headers: {} },
      ...{ seconds: 20, inputs: [], answer: { keep: [], most_characters: 50_000, schema: null } },
    },
    ...{ auth: { kind: 'none' }, policy: null, secrets: [], companies: [] },
  })
  const answer = { status: 200, ms: 3, bytes: 12, content_type: 'application/json', raw: '{"score":71}' }
  const page = await renderApp(`/tools/${id}/edit`, {
    token: 't',
    answers: aServer({
      'GET /tools': () => [tool(), aTool({ id: 'calculator', ui_name: 'Calculator' })],
      [`GET /tools/${id}`]: tool,
      [`GET /tools/${id}/definition`]: own,
      [`PUT /tools/${id}/interface`]: ({ body }) => {
        if (put) return put()
        const { ui: wanted } = body as { ui: { file?: object } | null }
        ui = wanted === null ? null : wanted.file ? uploaded : approved
        return { ui }
      },
      [`POST /tools/${id}/interface`]: () => ({
        ...{ state: 'ready', path: '/tool-interfaces/x', speaks: 'atrium', calls: {} },
      }),
      'POST /tools/try': () => ({
        request: { method: 'GET', url: 'https://example.com/score', headers: {}, body: null },
        answer: { ...answer, seen: { score: 71 } },
        problem: null,
      }),
    }),
  })
  await user.click(await screen.findByRole('tab', { name: 'Interface' }))
  return page
}

it('adds an interface, previews it with the test result, and removes it', async () => {
  const { called } = await open()
  await user.type(await screen.findByLabelText('Address of the file'), approved.url)
  await user.type(screen.getByLabelText(/^Addresses it may reach/), 'https://scoring.example')
  await user.click(screen.getByRole('switch', { name: /^May ask for / }))
  await user.click(screen.getByRole('button', { name: 'Load and approve' }))
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Fingerprint/).value).toBe(sri))
  expect(called(`PUT /tools/${id}/interface`)[0]?.body).toEqual({
    ui: { url: approved.url, sri: null, connect: approved.connect, calls: ['calculator'] },
  })
  expect(await screen.findByText('Run the test of this form: its result is drawn here.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /Run/ }))
  expect((await screen.findByTitle('Interface of Score')).getAttribute('sandbox')).toBe('allow-scripts')
  await user.click(screen.getByRole('button', { name: 'Remove the interface' }))
  await waitFor(() => expect(screen.queryByTitle('Interface of Score')).toBeNull())
  expect(called(`PUT /tools/${id}/interface`)[1]?.body).toEqual({ ui: null })
})

it.each([
  [
    [422, { code: 'invalid', detail: 'x', errors: [{ path: 'ui.sri', message: 'Invalid' }] }],
    /^This is no fingerprint\./,
  ],
  [
    [422, { code: 'invalid', detail: 'x', errors: [{ path: 'ui.connect.0', message: 'Invalid' }] }],
    /^One of the addresses it may reach is none\./,
  ],
  [
    [409, { code: 'conflict', detail: 'What stands at this address has another hash: sha384-b' }],
    /another hash: sha384-b/,
  ],
])('explains why an interface is rejected, and preserves the input (%#)', async (why, words) => {
  await open(() => why)
  await user.type(await screen.findByLabelText('Address of the file'), approved.url)
  await user.click(screen.getByRole('button', { name: 'Load and approve' }))
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Address of the file').value).toBe(approved.url)
})

const source = 'export const a=1'
/** Uploads a file through the form's file input. */
async function choose(content: BlobPart, name = 'score.mjs') {
  await user.click(await screen.findByRole('button', { name: 'By file' }))
  await screen.findByRole('button', { name: /^Choose a(nother)? file$/ })
  const input = document.querySelector<HTMLInputElement>('input[type=file][accept=".js,.mjs"]')
  if (!input) throw new Error('There is no place for a file.')
  // Dropped files bypass the accept list as well.
  await userEvent.setup({ applyAccept: false }).upload(input, new File([content], name))
}
const approveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Load and approve/ })

it('uploads a file as the interface and shows its name, size and fingerprint', async () => {
  const { called } = await open()
  await choose(source)
  expect(await screen.findByText('16 B · not approved yet')).toBeTruthy()
  expect(screen.queryByText(sri)).toBeNull()
  await user.click(approveButton())
  expect(await screen.findByText(sri)).toBeTruthy()
  expect(screen.getByText('16 B')).toBeTruthy()
  expect(called(`PUT /tools/${id}/interface`)[0]?.body).toEqual({
    ui: { file: { name: 'score.mjs', content: btoa(source) }, connect: [], calls: [] },
  })
  // Granting more addresses does not upload the file again.
  await user.type(screen.getByLabelText(/^Addresses it may reach/), 'https://scoring.example')
  await user.click(approveButton())
  await waitFor(() => expect(called(`PUT /tools/${id}/interface`)).toHaveLength(2))
  expect(called(`PUT /tools/${id}/interface`)[1]?.body).toEqual({
    ui: { file: { name: 'score.mjs', content: null }, connect: ['https://scoring.example'], calls: [] },
  })
})

it('accepts a dropped file', async () => {
  await open()
  await user.click(await screen.findByRole('button', { name: 'By file' }))
  const place = screen.getByText('Drop a file here, or choose one.')
  fireEvent.drop(place, { dataTransfer: { files: [new File([source], 'dropped.js')] } })
  expect(await screen.findByText('dropped.js')).toBeTruthy()
  expect(approveButton().disabled).toBe(false)
})

it.each([
  ['<!doctype html>', 'page.html', 'This file is not a JavaScript module.'],
  ['', 'empty.js', 'The file is empty.'],
  [new Uint8Array(2 * 1024 * 1024 + 1), 'large.js', 'The file is larger than 2 MB.'],
])('reports an invalid file immediately and sends nothing (%#)', async (content, name, words) => {
  const { called } = await open()
  await choose(content, name)
  expect(await screen.findByText(words)).toBeTruthy()
  expect(approveButton().disabled).toBe(true)
  expect(called(`PUT /tools/${id}/interface`)).toEqual([])
})

it('shows where a file stops being a valid module', async () => {
  const errors = [{ path: 'ui.file', message: "3: Unexpected token '<'" }]
  await open(() => [422, { code: 'invalid', detail: 'x', errors }])
  await choose(source)
  await user.click(approveButton())
  expect(
    await screen.findByText("This file is not a JavaScript module. Line 3: Unexpected token '<'"),
  ).toBeTruthy()
})
