// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { columnsOf } from './day-columns.ts'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const today = new Date().toISOString().slice(0, 10)
const sums = { amount: 0.75, tokens: 33, calls: 3 }
const large = { model_name: 'house/large', amount: 0.5, tokens: 22, calls: 2 }
const usage = {
  ...{
    sum: { ...sums, people: 1 },
    before: 1.5,
    prices: { stated: 112, inside: 105 },
    models: ['house/large'],
  },
  days: [{ day: today, ...sums, models: [large] }],
}
const share = { ...sums, name: null, company: null }

async function open(answers = {}) {
  return renderApp('/admin?page=usage', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/companies': () => [],
        'GET /admin/usage': () => usage,
        'GET /admin/usage/shares': ({ query }: { query: URLSearchParams }) => ({
          items:
            query.get('by') === 'tool'
              ? [
                  { ...share, id: 'weather' },
                  { ...share, id: null },
                ]
              : [{ ...share, id: 'u1', name: 'Inès Brunet', company: 'Orsane' }],
          ...{ total: 1, has_more: false },
        }),
        ...answers,
      },
      aUser({ role: 'company_admin' }),
    ),
  })
}

describe('the usage page', () => {
  it('shows usage by user and tool, the change, and the same figures as a table', async () => {
    await open()
    expect(await screen.findByText('$0.75', { selector: 'dd' })).toBeTruthy()
    expect(screen.getByText('−50% on the 30 days before')).toBeTruthy()
    expect(screen.getByText('Prices that held').closest('div')?.textContent).toBe(
      'Prices that held94%of 112 stated beforehand',
    )
    expect(await screen.findByRole('row', { name: /Inès Brunet Orsane 3 33 \$0\.75/ })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Tools' }))
    expect(await screen.findByRole('rowheader', { name: 'Weather' })).toBeTruthy()
    expect(screen.getByRole('rowheader', { name: 'No tool' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Table' }))
    const table = within(screen.getByRole('region', { name: 'By day and model' }))
    expect(table.getByRole('columnheader', { name: 'Other' })).toBeTruthy()
    expect(table.getByRole('row', { name: '30 days $0.50 $0.25 $0.75' })).toBeTruthy()
  })

  it('offers a retry after a failed load', async () => {
    await open({ 'GET /admin/usage': () => [500, { detail: 'No.' }] })
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('has a column for every day and a separate part for the remaining models', () => {
    const span = { from: '2026-11-23', to: '2026-11-24' }
    const day = { day: '2026-11-24', ...sums, models: [large] }
    expect(columnsOf({ ...usage, days: [day] }, span, 'amount')).toEqual({
      ...{ models: ['house/large'], hasRest: true },
      days: [
        { day: '2026-11-23', total: 0, parts: [0, 0] },
        { day: '2026-11-24', total: 0.75, parts: [0.5, 0.25] },
      ],
    })
  })
})
