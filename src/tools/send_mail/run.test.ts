import { describe, expect, it, vi } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import run from './run.ts'

describe('send_mail', () => {
  it('does what its draft says, in the account of the person', async () => {
    const context = aToolContext()
    const done = {
      account: 'ada@example.com',
      id: '1',
      already: false,
      to: ['bob@example.org'],
      subject: 'Offer',
      refused: [],
    }
    const sendMail = vi.fn(async () => done)
    const draft = contract.input.parse({ to: ['bob@example.org'], subject: 'Offer', body: 'Hi' })
    const result = await run(draft, { ...context, actions: { ...context.actions, sendMail } })
    expect(sendMail).toHaveBeenCalledWith(draft)
    expect(contract.output.parse(result)).toEqual(done)
  })

  it('asks by default, is never repeated unseen, and refuses a damaged draft', () => {
    expect([contract.policy, contract.repeatable, contract.draft]).toEqual(['ask', false, expect.any(String)])
    expect(
      contract.input.safeParse({
        to: ['bob@example.org'],
        subject: 'Offer\r\nBcc: eve@example.org',
        body: '',
      }).success,
    ).toBe(false)
  })
})
