import { describe, expect, it, vi } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import run from './run.ts'

describe('read_mail', () => {
  it('reads the mail with the id, in the account of the person', async () => {
    const context = aToolContext()
    const readMail = vi.fn(async () => ({
      id: '7:1:INBOX',
      from: 'bob@example.org',
      to: [],
      cc: [],
      subject: '',
      at: null,
      text: 'Hi',
      is_cut: false,
      attachments: [],
    }))
    const input = contract.input.parse({ id: '7:1:INBOX' })
    const result = await run(input, { ...context, actions: { ...context.actions, readMail } })
    expect(readMail).toHaveBeenCalledWith(input)
    expect(contract.output.parse(result)).toEqual({
      id: '7:1:INBOX',
      from: 'bob@example.org',
      to: [],
      cc: [],
      subject: '',
      at: null,
      text: 'Hi',
      is_cut: false,
      attachments: [],
    })
  })
})
