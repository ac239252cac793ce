import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { Webhook, WebhookDelivery } from '#shared/api/webhooks/webhooks.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aUser } from '#tests/web/user-builder.ts'
import { Webhooks } from './webhooks.tsx'

const id = '11111111-1111-4111-8111-111111111111'
const aWebhook = (more: Partial<Webhook> = {}): Webhook => ({
  ...{ id, name: 'ERP', url: 'https://erp.example/atrium', events: ['run.finished'], company: null },
  ...{ is_on: true, failing_since: null, gave_up_at: null, created_at: '2026-11-20T08:00:00Z' },
  ...more,
})
const aDelivery = (more: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  ...{ id: '2', type: 'run.finished', data: {}, state: 'arrived', next_at: null },
  ...{
    created_at: '2026-11-20T08:00:00Z',
    attempts: [{ at: '2026-11-20T08:00:01Z', ms: 12, status: 200, error: null }],
  },
  ...more,
})
const draw = (items: Webhook[], more: Answers = {}) =>
  renderPage(<Webhooks />, {
    path: '/user/keys',
    answers: {
      'GET /webhooks': () => ({ items, total: items.length }),
      'GET /users/me': () => aUser({}),
      ...more,
    },
  })

afterEach(leavePage)

it('shows the address, events and delivery status of a webhook', async () => {
  const company = { id: '3', name: 'Atelier' }
  await draw([
    aWebhook(),
    aWebhook({ id: '4', name: 'CRM', failing_since: '2026-11-20T08:00:00Z', company }),
    aWebhook({ id: '5', is_on: false, gave_up_at: '2026-11-20T08:00:00Z' }),
    aWebhook({ id: '6', is_on: false }),
  ])
  const items = await screen.findAllByRole('listitem')
  for (const text of ['ERP', 'https://erp.example/atrium', 'Answer finished', 'On'])
    expect(within(items[0]!).getByText(text)).toBeTruthy()
  for (const text of ['Does not arrive', 'All of Atelier'])
    expect(within(items[1]!).getByText(text)).toBeTruthy()
  expect(within(items[2]!).getByText('Turned off: nothing arrived')).toBeTruthy()
  expect(within(items[3]!).getByText('Off')).toBeTruthy()
})

it('creates a webhook and shows its secret once', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const { sent } = await draw([], { 'POST /webhooks': () => ({ webhook: aWebhook(), secret }) })
  expect(await screen.findByText('No webhook yet.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Create webhook' }))
  const form = await screen.findByRole('dialog', { name: 'Create a webhook' })
  const submit = within(form).getByRole('button', { name: 'Create webhook' })
  await userEvent.click(submit)
  expect(within(form).getByText('Give the webhook a name.')).toBeTruthy()
  expect(within(form).getByText('Give an address that begins with https:// or http://.')).toBeTruthy()
  await userEvent.type(within(form).getByRole('textbox', { name: 'Name' }), 'ERP')
  await userEvent.type(within(form).getByRole('textbox', { name: 'Address' }), 'https://erp.example/')
  await userEvent.click(within(form).getByRole('checkbox', { name: 'Document ready' }))
  await userEvent.click(submit)
  const shown = await screen.findByRole('dialog', { name: 'The secret of the webhook' })
  expect(within(shown).getByDisplayValue(secret)).toBeTruthy()
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ name: 'ERP', url: 'https://erp.example/', events: ['run.finished', 'run.waits', 'run.failed'] },
    company_id: null,
  })
  await userEvent.click(within(shown).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByDisplayValue(secret)).toBeNull())
})

it('lists deliveries with their attempts and resends one', async () => {
  const failed = aDelivery({
    ...{ id: '7', state: 'failed' as const },
    attempts: [
      { at: '2026-11-20T08:00:01Z', ms: 9, status: null, error: 'erp.example could not be reached.' },
    ],
  })
  const { sent } = await draw([aWebhook()], {
    [`GET /webhooks/${id}/deliveries`]: () => ({ items: [failed, aDelivery()], has_more: false }),
    [`POST /webhooks/${id}/deliveries/7/send`]: () => null,
  })
  await userEvent.click(await screen.findByRole('button', { name: 'What ERP was told' }))
  const history = await screen.findByRole('dialog', { name: 'What ERP was told' })
  expect(await within(history).findByText('erp.example could not be reached.')).toBeTruthy()
  expect(within(history).getByText('The receiver answered 200')).toBeTruthy()
  const [first] = within(history).getAllByRole('listitem')
  expect(first!.textContent).toContain('did not arrive · 1 attempt')
  await userEvent.click(within(first!).getByRole('button', { name: /^Send again/ }))
  await waitFor(() => expect(sent.some(({ method }) => method === 'POST')).toBe(true))
})

it('turns a disabled webhook back on', async () => {
  const { sent } = await draw([aWebhook({ is_on: false })], {
    [`PATCH /webhooks/${id}`]: () => aWebhook(),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Change ERP' }))
  const form = await screen.findByRole('dialog', { name: 'Change the webhook' })
  await userEvent.click(within(form).getByRole('checkbox', { name: 'On' }))
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PATCH')?.body).toMatchObject({ is_on: true }),
  )
})

it('deletes a webhook after confirmation', async () => {
  const { sent } = await draw([aWebhook()], { [`DELETE /webhooks/${id}`]: () => null })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete ERP' }))
  const question = await screen.findByRole('dialog', { name: 'Delete ERP?' })
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true))
})
