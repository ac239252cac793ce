// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const open = (answer: () => unknown, path = '/login/unsubscribe?token=abc') =>
  renderApp(path, { answers: aServer({ 'POST /announcement-mails/unsubscribe': answer }) })

it('stops the mails after a click, without signing in', async () => {
  const page = await open(() => ({ message: 'You get no more announcements by mail.' }))
  const button = await screen.findByRole('button', { name: 'Stop the mails' })
  expect(page.called('POST /announcement-mails/unsubscribe')).toHaveLength(0)
  await userEvent.click(button)
  expect(await screen.findByText('You get no more announcements by mail.')).toBeTruthy()
  expect(page.called('POST /announcement-mails/unsubscribe')[0]?.query.get('token')).toBe('abc')
})

it('says so when the mails were not stopped', async () => {
  await open(() => [400, { code: 'token_invalid', detail: 'No.' }])
  await userEvent.click(await screen.findByRole('button', { name: 'Stop the mails' }))
  expect(await screen.findByText(/^The mails were not stopped\./)).toBeTruthy()
})

it('asks for the whole link when its token is missing', async () => {
  await open(() => null, '/login/unsubscribe')
  expect(await screen.findByText(/^This link is not complete\./)).toBeTruthy()
})
