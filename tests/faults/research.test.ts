import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../src/shared/runs/runs/message.ts'
import { hangs, type ModelRequest, says } from '../support/model-server.ts'
import { type SearchingProduct, startSearchingProduct } from './searching-product.ts'

let product: SearchingProduct
beforeAll(async () => {
  product = await startSearchingProduct('research-kill')
})
afterAll(() => product.close())

const content = `<p>${'The harbour of Brest is 17 metres deep. Ships come and go all day. '.repeat(6)}</p>`
const isReport = ({ messages }: ModelRequest) =>
  JSON.stringify(messages).includes('The research on the message is done')
/** Returns how often a path was requested. */
const visits = (path: string) => product.web.asked.filter((one) => one.path === path).length
const patience = { timeout: 30_000, interval: 20 }
const restart = async () => {
  await product.kill()
  await product.start()
}

describe('kill -9 during research', () => {
  it('resumes it: no page is read twice, nothing is paid twice, and there is one report [XB-14]', {
    timeout: 120_000,
  }, async () => {
    product.web.has({ '/deep': { title: 'Deep', content } })
    const said = { answers: 0, reports: 0 }
    product.model.always((request) => {
      if (request.response_format) return [says(JSON.stringify({ steps: ['How deep is it?'] }))]
      if (isReport(request)) {
        said.reports += 1
        return said.reports === 1 ? [says('It is 17 me'), hangs()] : [says('It is 17 metres deep [1].')]
      }
      said.answers += 1
      return said.answers === 1 ? [says('17 '), hangs()] : [says('17 metres [1].')]
    })
    const { id } = await product.account().call<{ id: string }>('POST', '/sessions', {
      ...{ model_name: 'compatible/scripted', session_metadata: { agent_type: 'deep_research' } },
    })
    const message = { chat_session_id: id, content: 'Tell me about the harbour', agent_type: 'deep_research' }
    await product.account().call('POST', '/messages', message)
    const asks = async () =>
      (await product.account().call<{ items: { session_id: string }[] }>('GET', '/input-requests')).items
        .length
    await expect.poll(asks, patience).toBe(1)
    // Killed with the plan on screen, while answering from the page, and during the report.
    await restart()
    const answer = { checkpoint_name: 'waiting_for_input_plan', input: 'How deep is it?', input_type: 'text' }
    await product.account().call('POST', `/sessions/${id}/provide-input`, answer)
    await expect.poll(() => said.answers, patience).toBe(1)
    await restart()
    await expect.poll(() => said.reports, patience).toBe(1)
    await restart()
    const read = async () => {
      const path = `/sessions/${id}/active-branch`
      const { active_branch } = await product.account().call<{ active_branch: Message[] }>('GET', path)
      return active_branch.filter(({ role }) => role === 'assistant')
    }
    await expect.poll(async () => (await read())[0]?.status, patience).toBe('completed')
    const replies = await read()
    expect(replies).toHaveLength(1)
    expect(replies[0]?.content.match(/It is 17 metres deep/g)).toHaveLength(1)
    expect(replies[0]?.content.match(/## What was found/g)).toHaveLength(1)
    expect([visits('/searxng/search'), visits('/deep')]).toEqual([1, 1])
    const paid = await product.db
      .selectFrom('ledger_entries')
      .select('step_key')
      .where('session_id', '=', id)
      .where('kind', '=', 'usage')
      .orderBy('step_key')
      .execute()
    expect(paid.map(({ step_key }) => step_key)).toEqual([
      'model:1',
      'model:2',
      'step1/tool:search:1/web_search/answer',
    ])
  })
})
