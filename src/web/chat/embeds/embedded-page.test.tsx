import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { getToken } from '../../platform/lib/me/token.ts'
import { keepVisit } from '../../platform/lib/visit/visit.ts'
import { EmbeddedPage } from './embedded-page.tsx'

const met = {
  ...{ house: 'Orsane', messages_left: 3 },
  assistant: { name: 'Buyer', description: '', icon: null, example_prompts: ['Who may sign?'] },
}
const draw = (answers: Answers) => renderPage(<EmbeddedPage />, { path: '/embed', answers })

beforeEach(() => {
  queryClient.clear()
  keepVisit({ token: 'emb_1', visit: null, sessionId: null })
})
afterEach(leavePage)

it("a visit begins with the token of the page, and uses the visitor's token from then on", async () => {
  const { sent } = await draw({ 'POST /embed/visits': () => ({ ...met, visit: 'emv_1' }) })
  expect(await screen.findByText('Orsane')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Who may sign?' })).toBeTruthy()
  expect(sent.find(({ path }) => path === '/embed/visits')?.body).toEqual({ token: 'emb_1', language: 'en' })
  expect(getToken()).toBe('emv_1')
})

it('an invalid token is reported', async () => {
  await draw({ 'POST /embed/visits': () => [401, { code: 'unauthenticated', detail: 'x' }] })
  expect(await screen.findByText('This assistant is not open here')).toBeTruthy()
  expect(screen.getByText('token_not_valid')).toBeTruthy()
})

it('a refused message returns to the field, with the reason for visitors', async () => {
  await draw({
    'POST /embed/visits': () => ({ ...met, visit: 'emv_1' }),
    'POST /embed/chats': () => [402, { code: 'insufficient_balance', detail: 'Top up.' }],
  })
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'Who pays?{Enter}')
  expect(await screen.findByText('The assistant cannot answer at the moment. Try again later.')).toBeTruthy()
  expect(screen.getByDisplayValue('Who pays?')).toBeTruthy()
})
