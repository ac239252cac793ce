import { createRandom } from '../../faults/random.ts'
import { sendAsCrowd } from './crowd.ts'
import { type HeavyBody, heavyBodies } from './heavy-bodies.ts'

/** Input of a crowd process: random bodies, or none, to random addresses, determined by the seed. */
export type Attack = {
  url: string
  connections: number
  targets: { method: string; path: string }[]
  bodies: 'all' | 'some' | 'none'
  seed: number
  ms: number
}

/** A browser sends this to read. */
const NO_BODY: HeavyBody = {
  ...{
    what: 'nothing',
    headers: { 'accept-encoding': 'br, gzip' },
    bytes: Buffer.alloc(0),
    isChunked: false,
  },
}

process.once('message', async ({ url, connections, targets, bodies, seed, ms }: Attack) => {
  const random = createRandom(seed)
  const heavy = bodies === 'none' ? [NO_BODY] : heavyBodies({ isThin: bodies === 'some' })
  const pick = <T>(all: T[]) => all[Math.floor(random() * all.length)] as T
  const next = () => ({ ...pick(targets), ...pick(heavy) })
  process.send?.('ready')
  const answers = await sendAsCrowd(url, connections, next, performance.now() + ms)
  process.send?.([...answers])
  process.disconnect()
})
