// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const password_rules = { min_length: 12, refuses_common: true, min_kinds: 0, history: 0 }

/** Opens the product as a person whose password is too short for the rules. */
function open(refusal?: string) {
  let user = aUser({ password_due: 'password_too_short' })
  return renderApp('/tools', {
    token: 't',
    answers: aServer({
      'GET /users/me': () => user,
      'GET /sign-in-options': () => ({ providers: [], password_rules }),
      'POST /users/me/change-password': () => {
        if (refusal) return [422, { code: refusal, detail: 'Refused.' }]
        user = aUser()
        return { message: 'Changed' }
      },
    }),
  })
}

async function choose(password: string) {
  await userEvent.type(await screen.findByLabelText('Current password'), 'quiet 19')
  await userEvent.type(screen.getByLabelText('New password'), password)
  await userEvent.type(screen.getByLabelText('Confirm new password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
}

it('asks for a new password before anything else, says why, and then opens the page', async () => {
  const page = await open()
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeTruthy()
  expect(screen.getByText('Your password is shorter than the rules allow now.')).toBeTruthy()
  expect(screen.queryByRole('navigation')).toBeNull()
  await choose('slow tram to Ghent')
  expect(await screen.findByRole('heading', { level: 1, name: 'Tools' })).toBeTruthy()
  expect(page.hrefNow()).toBe('/tools')
})

it('asks the server nothing while a new password is too short', async () => {
  const page = await open()
  await choose('tram')
  expect(await screen.findByText('The password is too short.')).toBeTruthy()
  expect(page.called('POST /users/me/change-password')).toHaveLength(0)
})

it('stays and explains when the server refuses the new password', async () => {
  await open('password_common')
  await choose('correct horse battery')
  expect(
    await screen.findByText('This password is a common one. Choose one that is harder to guess.'),
  ).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Choose a new password' })).toBeTruthy()
})

it('lets a person sign out instead', async () => {
  const page = await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  expect(page.called('DELETE /token')).toHaveLength(1)
})
