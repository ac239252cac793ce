import { expect, it } from 'vitest'
import { createConnection, updateConnection } from '../../models/connections/connections.ts'
import { setSessionModel } from './sessions.ts'

it('accepts the longest model id that can be connected', () => {
  const model_id = 'x'.repeat(300)
  const connection = { name: 'Local', kind: 'compatible', model_ids: [model_id] }
  expect(createConnection.body?.safeParse(connection).success).toBe(true)
  const models = { [model_id]: { offered: false } }
  expect(updateConnection.body?.safeParse({ models }).success).toBe(true)
  const model_name = `${'p'.repeat(60)}/${model_id}`
  expect(setSessionModel.body?.safeParse({ model_name }).success).toBe(true)
})
