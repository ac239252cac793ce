import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { ConnectedProgram } from '#shared/identity/programs/programs.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { ConnectedPrograms } from './connected-programs.tsx'
import { ConsentView } from './consent-view.tsx'

afterEach(leavePage)

const claude: ConnectedProgram = {
  ...{ id: '11111111-1111-4111-8111-111111111111', name: 'Claude', spent: 3.1, last_used_at: null },
  scopes: ['documents.read', 'assistants'],
  ...{ created_at: '2026-09-12T08:00:00Z', expires_at: '2026-12-24T08:00:00Z' },
}
const request = {
  ...{ response_type: 'code', client_id: 'mcp_1', redirect_uri: 'http://127.0.0.1:5999/back' },
  ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', state: 'abc' },
}
const asked = `/connect?${new URLSearchParams(request)}`
const told = {
  ...{ name: 'Desk helper', host: '127.0.0.1:5999', is_local: true, scopes: ['documents.read'] },
  refuse_to: 'http://127.0.0.1:5999/back?error=access_denied',
}

async function consent(path: string, answers: Answers = {}, language = 'en') {
  const left: string[] = []
  const page = await renderPage(<ConsentView leave={(address) => left.push(address)} />, {
    path,
    language,
    answers: { 'POST /users/me/programs/requests': () => told, ...answers },
  })
  return { ...page, left }
}

it('shows the scopes of a connected program and disconnects it after confirmation', async () => {
  let items = [claude]
  const { sent } = await renderPage(<ConnectedPrograms />, {
    path: '/user/keys',
    answers: {
      'GET /users/me/programs': () => ({ items, total: items.length, has_more: false }),
      [`DELETE /users/me/programs/${claude.id}`]: () => {
        items = []
        return null
      },
    },
  })
  const row = await screen.findByRole('listitem')
  for (const text of ['Claude', 'Read documents', 'Assistants', 'Until 24 Dec 2026'])
    expect(within(row).getByText(text)).toBeTruthy()
  expect(row.textContent).toContain('$3.10 this month')
  expect(screen.getByText(/Give a program this address: .*\/mcp$/)).toBeTruthy()
  await userEvent.click(within(row).getByRole('button', { name: 'Disconnect Claude' }))
  const question = await screen.findByRole('dialog')
  await userEvent.click(within(question).getByRole('button', { name: 'Disconnect' }))
  expect(await screen.findByText('No program is connected.')).toBeTruthy()
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(true)
})

it('redirects with the code after consent, for the request as received', async () => {
  const back = 'http://127.0.0.1:5999/back?code=1&state=abc'
  const { sent, left } = await consent(asked, {
    'POST /users/me/programs': () => ({ redirect_to: back }),
  })
  expect(await screen.findByText('Desk helper asks to be connected to your account.')).toBeTruthy()
  expect(screen.getByText(/a program on this computer \(127\.0\.0\.1:5999\)/)).toBeTruthy()
  expect(screen.getByText('Search, read and quote')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Allow' }))
  await waitFor(() => expect(left).toEqual([back]))
  expect(sent.find(({ path }) => path === '/users/me/programs')?.body).toEqual(request)
})

it("redirects without a code after refusal, in the user's language", async () => {
  const { sent, left } = await consent(asked, {}, 'fr')
  await userEvent.click(await screen.findByRole('button', { name: 'Refuser' }))
  expect(left).toEqual([told.refuse_to])
  expect(sent.some(({ path }) => path === '/users/me/programs')).toBe(false)
})

it('explains a rejected program or an incomplete address without redirecting', async () => {
  const detail = 'This program is not known here. Have it connect again from the start.'
  const refused = await consent(asked, {
    'POST /users/me/programs/requests': () => [422, { code: 'invalid', detail }],
  })
  expect(await screen.findByText('This program cannot be connected.')).toBeTruthy()
  expect(screen.getByText(/^What it asks for cannot be given here\./)).toBeTruthy()
  expect(screen.getByText(detail)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull()
  expect(refused.left).toEqual([])
  leavePage()
  await consent('/connect?client_id=x')
  expect(await screen.findByText(/The address it opened is not complete/)).toBeTruthy()
})
