import { describe, expect, it, vi } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import run from './run.ts'

describe('search_mail', () => {
  it('finds mails as asked, in the account of the person', async () => {
    const context = aToolContext()
    const searchMail = vi.fn(async () => [])
    const input = contract.input.parse({ words: 'offer' })
    const result = await run(input, { ...context, actions: { ...context.actions, searchMail } })
    expect(searchMail).toHaveBeenCalledWith(input)
    expect(contract.output.parse(result)).toEqual({ mails: [] })
  })
})
