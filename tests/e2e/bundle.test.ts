import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../bench/bundle.ts'
import { buildWebOnce } from '../../scripts/build-web.ts'

beforeAll(() => buildWebOnce(join(import.meta.dirname, '..', '..')))

describe('what a page loads before it works', () => {
  it('stays within its budgets: JavaScript of the login and the chat, and CSS', async () => {
    const { targets } = await run()
    expect(targets).toHaveLength(3)
    expect(targets.filter(({ met }) => met !== true)).toEqual([])
  })
})
