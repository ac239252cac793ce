// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Budget } from '#shared/money/budgets/budgets.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const orsane: Budget = {
  ...{ id: '00000000-0000-4000-8000-0000000000b1', kind: 'company', period: 'month' },
  ...{ subject_id: 'c1', name: 'Orsane', amount: 90, spent: 84.92 },
}

it('shows the spent share of each budget, and creates and removes budgets', async () => {
  let items = [orsane]
  const page = await renderApp('/admin?page=budgets', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/budgets': () => ({ items, total: items.length, has_more: false }),
        'GET /admin/budgets/subjects': () => ({
          items: [{ id: 'a1', name: 'Analyst', detail: 'Inès' }],
          has_more: false,
        }),
        'PUT /admin/budgets': () => {
          items = [...items, { ...orsane, id: 'b2', kind: 'assistant', name: 'Analyst' }]
          return items[1] as Budget
        },
        [`DELETE /admin/budgets/${orsane.id}`]: () => {
          items = []
          return [204, undefined]
        },
      },
      aUser({ role: 'super_admin' }),
    ),
  })
  expect(
    await screen.findByRole('row', { name: /Orsane.*\$84\.92 \$90\.00 94% · nearly used up/ }),
  ).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'New budget' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.selectOptions(dialog.getByLabelText('Budget for'), 'Assistant')
  await user.selectOptions(dialog.getByLabelText('Period'), 'Each reply')
  await user.type(dialog.getByLabelText('Limit in dollars'), '0,5')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(page.called('PUT /admin/budgets')).toHaveLength(0)
  await user.selectOptions(await dialog.findByLabelText('Assistant'), 'Analyst · Inès')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('row', { name: /Analyst/ })).toBeTruthy()
  expect(page.called('PUT /admin/budgets')[0]?.body).toEqual({
    ...{ kind: 'assistant', period: 'reply', subject_id: 'a1', amount: 0.5 },
  })
  await user.click(screen.getByRole('button', { name: 'Remove the budget of Orsane' }))
  expect(await screen.findByText('There are no budgets')).toBeTruthy()
})

it('sets the price above which users are asked before a reply [AD-08]', async () => {
  let above: number | null = 1
  const page = await renderApp('/admin?page=budgets', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/budgets': () => ({ items: [], total: 0, has_more: false }),
        'GET /admin/price-question': () => ({ above }),
        'PUT /admin/price-question': ({ body }) => {
          above = (body as { above: number | null }).above
          return { above }
        },
      },
      aUser({ role: 'super_admin' }),
    ),
  })
  const setting = within(await screen.findByRole('region', { name: 'Before a costly reply' }))
  const field = setting.getByLabelText<HTMLInputElement>('Ask above, in dollars')
  expect(field.value).toBe('1')
  await user.clear(field)
  await user.type(field, '-3')
  await user.click(setting.getByRole('button', { name: 'Save' }))
  expect(setting.getByText('Give an amount from 0 to 10,000.')).toBeTruthy()
  await user.clear(field)
  await user.type(field, '0,25')
  await user.click(setting.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(above).toBe(0.25))
  await user.click(await setting.findByRole('switch', { name: 'Ask before a costly reply' }))
  expect(setting.queryByLabelText('Ask above, in dollars')).toBeNull()
  await user.click(setting.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(above).toBeNull())
  expect(page.called('PUT /admin/price-question')).toHaveLength(2)
})
