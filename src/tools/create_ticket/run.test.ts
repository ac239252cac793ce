import { describe, expect, it, vi } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import run from './run.ts'

describe('create_ticket', () => {
  it('does what its draft says, in the account of the person', async () => {
    const context = aToolContext()
    const done = { account: 'ada@example.com', id: 'HR-1', already: false, title: 'Laptop', url: null }
    const createTicket = vi.fn(async () => done)
    const draft = contract.input.parse({ project: 'HR', title: 'Laptop' })
    const result = await run(draft, { ...context, actions: { ...context.actions, createTicket } })
    expect(createTicket).toHaveBeenCalledWith(draft)
    expect(contract.output.parse(result)).toEqual(done)
  })

  it('asks by default, is never repeated unseen, and refuses a damaged draft', () => {
    expect([contract.policy, contract.repeatable, contract.draft]).toEqual(['ask', false, expect.any(String)])
    expect(contract.input.safeParse({ project: '', title: 'Laptop' }).success).toBe(false)
  })
})
