import { expect, it } from 'vitest'
import { MADE, OTHER } from '../../bench/search/house.ts'
import { changeWhileSearched } from '../support/model-change.ts'

const passages = Number(process.env.CHANGED_PASSAGES ?? 2_000)

it(`changes the embedding model of ${passages} passages while 20 people search and the builder is killed, without a failed or mixed search [CX-16]`, {
  timeout: 300_000 + passages * 30,
}, async () => {
  const { failed, mixed, by, killed, indexed, ...seen } = await changeWhileSearched({ passages, kills: 2 })
  console.log('the embedding model was changed:', JSON.stringify({ ...seen, by, killed }))
  expect({ failed, mixed, killed, indexed }).toEqual({ failed: [], mixed: 0, killed: 2, indexed: passages })
  expect(by[MADE]).toBeGreaterThan(20)
  expect(by[OTHER]).toBeGreaterThan(20)
})
