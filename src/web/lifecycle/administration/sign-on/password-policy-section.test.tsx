// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { PasswordPolicy } from '#shared/identity/accounts/password-policy.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { PasswordPolicySection } from './password-policy-section.tsx'

afterEach(leavePage)

const policy: PasswordPolicy = {
  ...{ min_length: 8, refuses_common: true, min_kinds: 0, history: 0, max_age_days: null },
  applies: 'next_change',
}

async function draw(answer: (body: unknown) => unknown = (body) => body) {
  const page = await renderPage(<PasswordPolicySection />, {
    answers: {
      'GET /admin/password-policy': () => policy,
      'PUT /admin/password-policy': ({ body }) => answer(body),
    },
  })
  await screen.findByLabelText('Minimum length')
  return { saved: () => page.sent.filter(({ method }) => method === 'PUT').map(({ body }) => body) }
}

async function enter(label: RegExp, text: string) {
  await userEvent.clear(screen.getByLabelText(label))
  if (text) await userEvent.type(screen.getByLabelText(label), text)
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save password rules' }))

it('saves the rules as entered', async () => {
  const { saved } = await draw()
  await enter(/^Minimum length/, '14')
  await enter(/^Last passwords refused/, '5')
  await enter(/^Maximum age in days/, '365')
  await userEvent.click(screen.getByRole('switch', { name: 'Refuse passwords that are easy to guess' }))
  await save()
  expect(saved()).toEqual([
    { ...policy, min_length: 14, history: 5, max_age_days: 365, refuses_common: false },
  ])
})

it.each([
  [/^Minimum length/, '7', 'Enter a number from 8 to 64.'],
  [/^Minimum length/, '65', 'Enter a number from 8 to 64.'],
  [/^Minimum length/, '1e1', 'Enter a number from 8 to 64.'],
  [/^Last passwords refused/, '25', 'Enter a number from 0 to 24.'],
  [/^Maximum age in days/, '0', 'Enter a number from 1 to 3650.'],
])('refuses %s %s', async (label, text, problem) => {
  const { saved } = await draw()
  await enter(label, text)
  expect(screen.getByText(problem)).toBeTruthy()
  await save()
  expect(saved()).toEqual([])
})

it('keeps the entries when saving fails', async () => {
  await draw(() => [503, { code: 'broken', detail: 'Out of order.' }])
  await enter(/^Minimum length/, '14')
  await save()
  expect(await screen.findByText('The password rules were not saved.')).toBeTruthy()
  expect((screen.getByLabelText('Minimum length') as HTMLInputElement).value).toBe('14')
})
