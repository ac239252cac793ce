import { describe, expect, it } from 'vitest'
import { collectBatches } from './collect-batches.ts'

/** Batches of at most three numbers, each written when the test says so. */
function heldBatches() {
  const written: number[][] = []
  const held: { resolve: () => void; reject: (error: Error) => void }[] = []
  const batches = collectBatches<number>(async (batch) => {
    written.push(batch)
    await new Promise<void>((resolve, reject) => held.push({ resolve, reject }))
  }, 3)
  return { batches, written, held }
}
const pass = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('batches', () => {
  it('write the first immediately, and collect others meanwhile', async () => {
    const { batches, written, held } = heldBatches()
    await batches.add(1)
    await batches.add(2)
    await batches.add(3)
    expect(written).toEqual([[1]])
    held[0]?.resolve()
    await pass()
    expect(written).toEqual([[1], [2, 3]])
  })

  it('let the reader wait while a full one collects', async () => {
    const { batches, written, held } = heldBatches()
    for (const one of [1, 2, 3]) await batches.add(one)
    let isAdded = false
    const adding = batches.add(4).then(() => {
      isAdded = true
    })
    await pass()
    expect([isAdded, written]).toEqual([false, [[1]]])
    held[0]?.resolve()
    await adding
    expect(written).toEqual([[1], [2, 3, 4]])
  })

  it('end after the rest is written', async () => {
    const { batches, written, held } = heldBatches()
    for (const one of [1, 2]) await batches.add(one)
    let isOver = false
    const ending = batches.end().then(() => {
      isOver = true
    })
    held[0]?.resolve()
    await pass()
    expect(isOver).toBe(false)
    held[1]?.resolve()
    await ending
    expect(written).toEqual([[1], [2]])
  })

  it('write nothing after a failure, and report it', async () => {
    const { batches, written, held } = heldBatches()
    for (const one of [1, 2]) await batches.add(one)
    held[0]?.reject(new Error('refused'))
    await pass()
    await expect(batches.add(3)).rejects.toThrow('refused')
    await expect(batches.end()).rejects.toThrow('refused')
    expect(written).toEqual([[1]])
  })
})
