import { describe, expect, it } from 'vitest'
import { createWaker } from './waker.ts'

/** Creates a runner that records how often it is woken, and for how many jobs. */
function aRunner(kind: string, isIdle = true) {
  const woken: number[] = []
  return { woken, kinds: [kind], isIdle: () => isIdle, wake: (count: number) => void woken.push(count) }
}

describe('waker', () => {
  it('wakes only the runner whose jobs can begin', async () => {
    const waker = createWaker(async () => new Map(runner.woken.length === 0 ? [['a', 2]] : []))
    const [runner, other] = [aRunner('a'), aRunner('b')]
    waker.join(runner)
    waker.join(other)
    waker.look()
    await expect.poll(() => runner.woken).toEqual([2])
    expect(other.woken).toEqual([])
  })

  it('wakes a runner again until its job has begun', async () => {
    const waker = createWaker(async () => new Map(runner.woken.length < 4 ? [['a', 1]] : []))
    const runner = aRunner('a')
    waker.join(runner)
    waker.look()
    await expect.poll(() => runner.woken).toEqual([1, 1, 1, 1])
  })

  it('does not ask for jobs that a busy runner cannot take', async () => {
    const asked: string[][] = []
    const waker = createWaker(async (kinds) => {
      asked.push([...kinds])
      return new Map()
    })
    waker.join(aRunner('busy', false))
    waker.look()
    waker.join(aRunner('idle'))
    waker.look()
    await expect.poll(() => asked).toEqual([['idle']])
  })

  it('asks once more for notifications that arrive during a query', async () => {
    let asked = 0
    let answer = () => {}
    const waker = createWaker(async () => {
      asked += 1
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return new Map()
    })
    waker.join(aRunner('a'))
    for (let count = 0; count < 5; count += 1) waker.look()
    answer()
    await expect.poll(() => asked).toBe(2)
    answer()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asked).toBe(2)
  })

  it('looks again at the next notification after a failed query', async () => {
    let asked = 0
    const waker = createWaker(async () => {
      asked += 1
      if (asked === 1) throw new Error('the database is away')
      return new Map(asked === 2 ? [['a', 1]] : [])
    })
    const runner = aRunner('a')
    waker.join(runner)
    waker.look()
    await expect.poll(() => asked).toBe(1)
    waker.look()
    await expect.poll(() => runner.woken).toEqual([1])
  })
})
