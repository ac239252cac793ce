import { createRandom } from '../../faults/random.ts'
import { sendAsCrowd } from './crowd.ts'
import { heavyBodies } from './heavy-bodies.ts'

/** Input of a crowd process: random bodies to random addresses, determined by the seed. */
export type Attack = {
  url: string
  connections: number
  targets: { method: string; path: string }[]
  isThin: boolean
  seed: number
  ms: number
}

process.once('message', async ({ url, connections, targets, isThin, seed, ms }: Attack) => {
  const random = createRandom(seed)
  const bodies = heavyBodies({ isThin })
  const pick = <T>(all: T[]) => all[Math.floor(random() * all.length)] as T
  const next = () => ({ ...pick(targets), ...pick(bodies) })
  process.send?.('ready')
  const answers = await sendAsCrowd(url, connections, next, performance.now() + ms)
  process.send?.([...answers])
  process.disconnect()
})
