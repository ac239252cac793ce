import { expect, it } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import viewPage from './contract.ts'
import run from './run.ts'

it('requests the page of the named document and returns a reference to it', async () => {
  const page = {
    ...{ type: 'page_reference' as const, document_id: '00000000-0000-4000-8000-000000000001' },
    ...{ document_name: 'lease.pdf', page: 3, pages: 12 },
  }
  const asked: unknown[] = []
  const view = async (...given: unknown[]) => {
    asked.push(given)
    return page
  }
  const input = viewPage.input.parse({ document: ' lease.pdf ', page: 3 })
  expect(viewPage.output.parse(await run(input, aToolContext({ pages: { view } })))).toEqual(page)
  expect(asked).toEqual([['lease.pdf', 3]])
})

it('rejects page numbers below 1', () => {
  expect(viewPage.input.safeParse({ document: 'lease.pdf', page: 0 }).success).toBe(false)
})
