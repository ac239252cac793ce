import { describe, expect, it, vi } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import run from './run.ts'

describe('file_mail', () => {
  it('does what its draft says, in the account of the person', async () => {
    const context = aToolContext()
    const done = { account: 'ada@example.com', id: '1', already: false, folder: 'Archive' }
    const fileMail = vi.fn(async () => done)
    const draft = contract.input.parse({ mail: '7:1:INBOX', folder: 'Archive' })
    const result = await run(draft, { ...context, actions: { ...context.actions, fileMail } })
    expect(fileMail).toHaveBeenCalledWith(draft)
    expect(contract.output.parse(result)).toEqual(done)
  })

  it('asks by default, is never repeated unseen, and refuses a damaged draft', () => {
    expect([contract.policy, contract.repeatable, contract.draft]).toEqual(['ask', false, expect.any(String)])
    expect(contract.input.safeParse({ mail: '', folder: 'Archive' }).success).toBe(false)
  })
})
