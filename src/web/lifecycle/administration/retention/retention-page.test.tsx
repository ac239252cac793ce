// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import {
  RETENTION_CHOICES,
  type RetentionRun,
  type RetentionState,
} from '#shared/lifecycle/retention/retention.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const older = RETENTION_CHOICES.map((days) => ({ days, items: days < 365 ? 1_204 : 0, bytes: 2_048 }))
const aRule = (kind: RetentionState['kind']): RetentionState => ({
  ...{ kind, days: null, follows_house: false, house_days: null, older },
})
const run: RetentionRun = {
  ...{ id: '00000000-0000-4000-8000-0000000000c1', began_at: '2026-11-24T04:10:00Z', finished_at: null },
  state: 'failed',
  counts: [{ kind: 'chats', company: 'Orsane', items: 38, files: 2, file_bytes: 1_024 }],
}

it('warns before saving what a rule would delete, and lists past deletions', async () => {
  let rules = [aRule('chats'), aRule('audit')]
  const page = await renderApp('/admin?page=retention', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/companies': () => [
          { id: 'c1', name: 'Orsane', people: 4, requires_second_factor: false },
        ],
        'GET /admin/legal-holds': () => ({ items: [], total: 0, has_more: false }),
        'GET /admin/retention': () => ({ rules, next_at: '2026-11-25T04:10:00Z' }),
        'GET /admin/companies/c1/retention': () => ({
          rules: [{ ...aRule('chats'), follows_house: true, house_days: 30 }],
          next_at: '2026-11-25T04:10:00Z',
        }),
        'PUT /admin/retention': () => {
          rules = [{ ...aRule('chats'), days: 30 }, aRule('audit')]
          return { rules, next_at: '2026-11-25T04:10:00Z' }
        },
        'GET /admin/retention/runs': () => ({ items: [run], total: 1, has_more: false }),
      },
      aUser({ role: 'super_admin' }),
    ),
  })
  const chats = await screen.findByRole('combobox', { name: /^Chats/ })
  expect(screen.getAllByText('Kept until somebody deletes it')).toHaveLength(2)
  expect(await screen.findByText('Failed; retried automatically')).toBeTruthy()
  expect(screen.getByText(/^Chats · 38 · 1 KB · Orsane$/)).toBeTruthy()
  const audit = within(screen.getByRole('combobox', { name: /^Audit log/ }))
  expect(audit.queryByRole('option', { name: '30 days' })).toBeNull()
  expect(audit.getByRole('option', { name: '1 year' })).toBeTruthy()
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  expect(save.disabled).toBe(true)
  await user.selectOptions(chats, '30 days')
  expect(screen.getByText('1,204 would go next time · 2 KB')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  expect(screen.queryByText(/would go/)).toBeNull()
  await user.selectOptions(chats, '30 days')
  await user.click(save)
  expect(await screen.findByText('The change is saved.')).toBeTruthy()
  expect(page.called('PUT /admin/retention')[0]?.body).toEqual({
    rules: [{ kind: 'chats', days: 30, follows_house: false }],
  })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Whose things' }), 'Orsane')
  expect(await screen.findByRole('option', { name: 'As the server: 30 days' })).toBeTruthy()
})
