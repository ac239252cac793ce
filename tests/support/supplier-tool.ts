import { expect } from 'vitest'
import type { ApiServer } from './api-server.ts'
import type { Chat } from './chat.ts'

/** An own tool that requests the score of a supplier from an API. */
export const supplierTool = (api: ApiServer, more: object = {}) => ({
  ...{ ui_name: 'Supplier score', description: 'Financial health of a company.' },
  call: {
    method: 'GET',
    address: `${api.url}/v2/suppliers/{siren}/score`,
    inputs: [
      {
        name: 'siren',
        place: 'path',
        description: 'Nine digits',
        required: true,
        schema: { type: 'string' },
      },
      {
        name: 'period',
        place: 'query',
        description: '',
        required: false,
        schema: { enum: ['year', 'quarter'] },
      },
    ],
    answer: { keep: ['$.score', '$.alerts[*].label'], most_characters: 1_000, schema: null },
  },
  ...more,
})

/** Creates a tool that calls an API. */
export async function makeTool(chat: Chat, tool: object): Promise<{ id: string; version: number }> {
  const { status, body } = await chat.call('POST', '/tools/', tool)
  expect(body, JSON.stringify(body)).toMatchObject({ kind: 'api' })
  expect(status).toBe(201)
  return body
}

/** Executes a tool on its own and waits for its end. */
export async function executeTool(chat: Chat, id: string, inputs: object) {
  const started = await chat.call('POST', `/tools/${id}/execute`, { inputs })
  for (;;) {
    const { body } = await chat.call('GET', `/tool-executions/${started.body.tool_execution_id}`)
    if (body.finished_at) return body
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
