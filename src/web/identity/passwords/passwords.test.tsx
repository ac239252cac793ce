// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PasswordRules } from '#shared/identity/accounts/password-policy.ts'
import { startTexts } from '#tests/web/render-page.tsx'
import { PasswordRulesList } from './passwords.tsx'

const rules: PasswordRules = { min_length: 12, refuses_common: true, min_kinds: 3, history: 5 }

beforeAll(() => startTexts('en'))
afterEach(cleanup)

/** Returns the rules as a person reads them, with `+` for a met and `-` for a broken one. */
function read(password: string, more: { rules?: PasswordRules; refused?: string } = {}): string[] {
  render(<PasswordRulesList rules={more.rules ?? rules} password={password} refused={more.refused} />)
  const list = screen.getByRole('list', { name: 'Rules for the password' })
  return within(list)
    .getAllByRole('listitem')
    .map((line) => {
      const mark = within(line).queryByLabelText('Met:') ? '+ ' : ''
      return `${mark || (within(line).queryByLabelText('Not met:') ? '- ' : '')}${line.textContent}`
    })
}

describe('the list of rules for a password', () => {
  it('shows every rule, unmarked, before anything is typed', () => {
    expect(read('')).toEqual([
      'At least 12 characters',
      '3 of: lower case, upper case, digits, other characters',
      'Not a common password',
      'Not made of your name, your address or “Atrium”',
      'Not one of your last 5 passwords',
    ])
  })

  it('marks the rules that are met while somebody types, and no broken one', () => {
    expect(read('quiet harbour').slice(0, 3)).toEqual([
      '+ At least 12 characters',
      '3 of: lower case, upper case, digits, other characters',
      'Not a common password',
    ])
  })

  it.each([
    ['password_kinds_missing', '- 3 of: lower case, upper case, digits, other characters'],
    ['password_common', '- Not a common password'],
    ['password_personal', '- Not made of your name, your address or “Atrium”'],
    ['password_used_before', '- Not one of your last 5 passwords'],
  ])('marks the rule that a password was refused for: %s', (refused, line) => {
    const broken = read('Quiet harbour 19', { refused }).filter((one) => one.startsWith('-'))
    expect(broken).toEqual([line])
  })

  it('leaves out rules that do not apply', () => {
    const none = { min_length: 8, refuses_common: false, min_kinds: 0, history: 0 }
    expect(read('', { rules: none })).toEqual(['At least 8 characters'])
  })
})
