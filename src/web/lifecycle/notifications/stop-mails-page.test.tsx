// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { isAt } from './use-place-read.ts'

beforeAll(() => prepareBrowser())
afterEach(leaveApp)

describe('the page that stops mails', () => {
  const open = (answer: () => unknown) =>
    renderApp('/login/stop-mails?token=abc', {
      answers: aServer({ 'POST /notification-mails/unsubscribe': answer }),
    })

  it('stops them after a click, without signing in', async () => {
    const page = await open(() => ({ message: 'You will get no more e-mails of this kind.' }))
    const button = await screen.findByRole('button', { name: 'Stop the mails' })
    expect(page.called('POST /notification-mails/unsubscribe')).toHaveLength(0)
    await userEvent.click(button)
    expect(await screen.findByText('You will get no more e-mails of this kind.')).toBeTruthy()
    expect(page.called('POST /notification-mails/unsubscribe')[0]?.query.get('token')).toBe('abc')
  })

  it('reports a failure to stop them', async () => {
    await open(() => [400, { code: 'token_invalid', detail: 'No.' }])
    await userEvent.click(await screen.findByRole('button', { name: 'Stop the mails' }))
    await waitFor(() => expect(screen.getByText(/^The mails were not stopped\./)).toBeTruthy())
  })
})

describe('isAt', () => {
  it.each([
    ['/documents/a', '/documents/a', true],
    ['/documents/a', '/documents/a?page=2', true],
    ['/documents/a', '/documents/ab', false],
    ['/admin?page=budgets', '/admin?page=budgets&kind=user', true],
    ['/admin?page=budgets', '/admin', false],
    ['/schedules/a?slot=b', '/schedules/a', true],
    ['/schedules/a?slot=b', '/schedules/c?slot=b', false],
  ])('compares %s with %s', (place, path, expected) => {
    expect(isAt(place, path)).toBe(expected)
  })
})
