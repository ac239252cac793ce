import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { collectSooner } from '../../src/server/platform/process/collect-sooner.ts'

/** Prints the largest old space in bytes of a process that makes much garbage between pauses, with and without `collectSooner`. */
const live = Array.from({ length: 400_000 }, (_, at) => ({ at, text: `live ${at}` }))
const ring: object[] = new Array(400_000).fill({})
const [TURNS, WARM_UP] = [400, 150]

async function makeGarbage(): Promise<number> {
  let most = 0
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (let at = 0; at < 10_000; at += 1)
      ring[(turn * 10_000 + at) % ring.length] = { at, text: `garbage ${at}` }
    if (turn >= WARM_UP) most = Math.max(most, oldSpace())
    await sleep(2)
  }
  return most
}

const oldSpace = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0

const usual = await makeGarbage()
const sooner = await collectSooner(makeGarbage)
const after = await makeGarbage()
process.stdout.write(JSON.stringify({ usual, sooner, after, live: live.length }))
