import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '../../../tests/support/chat.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

describe('the tools there are', () => {
  it('TO-01 TO-02 SV-45 lists every tool with its inputs, interface, icon and examples', async () => {
    const { status, body } = await chat.call('GET', '/tools/')
    expect(status).toBe(200)
    expect(body.map(({ id }: { id: string }) => id)).toContain('calculator')
    expect(body.find(({ id }: { id: string }) => id === 'calculator')).toMatchObject({
      ...{ name: 'calculator', ui_name: 'Calculator', icon: 'calculator', policy: 'auto' },
      ui_location: { kind: 'internal', name: 'calculator' },
      input_schema: {
        properties: { operation: { enum: ['add', 'subtract', 'multiply', 'divide'] } },
        required: ['a', 'b', 'operation'],
      },
      example_responses: [{ outputs: { result: expect.any(Number) } }],
    })
  })

  it('SV-46 BL-13 gives one tool, and says which one there is not', async () => {
    const { body } = await chat.call('GET', '/tools/calculator')
    expect(body).toMatchObject({ id: 'calculator', limit_seconds: 5 })
    expect(await chat.call('GET', '/tools/..%2Faccounts')).toMatchObject({ status: 404 })
    expect(await chat.call('GET', '/tools/nothing')).toMatchObject({
      status: 404,
      body: { detail: 'Tool with ID nothing not found.' },
    })
  })
})
