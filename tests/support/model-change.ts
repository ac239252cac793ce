import { setTimeout as sleep } from 'node:timers/promises'
import { MADE, OTHER, openHouse, TENANTS } from '../../bench/search/house.ts'
import { aUser } from './builders.ts'
import { madeText } from './made-library.ts'
import { type Seen, startCrowd } from './search-crowd.ts'

type Options = {
  passages: number
  /** Number of kills of the building process, each during its work. */
  kills: number
  tell?: (sentence: string) => void
}

export type Changed = Seen & { seconds: number; killed: number; passages: number; indexed: number }

type State = { model: string; building: { done: number; total: number } | null }

/**
 * Changes the embedding model of a library with this many passages while twenty people search it. One process serves the
 * web, another one builds.
 */
export async function changeWhileSearched({ passages, kills, tell = () => {} }: Options): Promise<Changed> {
  const texts = new Map(Array.from({ length: passages }, (_, at) => [madeText(at), at]))
  const house = await openHouse(passages, texts)
  try {
    const web = await house.start({ ATRIUM_ROLE: 'web' })
    let worker = await house.start({ ATRIUM_ROLE: 'worker' })
    const deps = { db: house.db, clock: { now: () => new Date() } }
    const { headers } = await aUser({ deps }, { role: 'super_admin' })
    const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
      const answer = await fetch(`${web.url}/api/v1/embedding-model${path}`, {
        ...{ method, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as Answer
    }
    const crowd = startCrowd({
      ...{ url: web.url, people: house.people, vectorOf: house.vectorOf, models: [MADE, OTHER] },
      question: (n) => `${madeText(n, 8, 11)} ${n}`,
    })
    const from = performance.now()
    await call('POST', '/change', { model: OTHER })
    let killed = 0
    let state = await call<State>('GET', '')
    while (state.model !== OTHER) {
      await sleep(250)
      state = await call<State>('GET', '')
      const { done = 0, total = 0 } = state.building ?? {}
      if (killed < kills && done > (total * (killed + 1)) / (kills + 2)) {
        await worker.kill()
        killed += 1
        worker = await house.start({ ATRIUM_ROLE: 'worker' })
      }
      tell(`${done} of ${total}, ${crowd.seen.searches} searches`)
    }
    const seconds = (performance.now() - from) / 1000
    await enoughBy(crowd.seen, OTHER)
    const seen = await crowd.stop()
    return { ...seen, seconds, killed, passages, indexed: await house.countLive() }
  } finally {
    await house.close()
  }
}

/** Waits until everyone has searched with the new model. */
async function enoughBy({ by, failed }: Seen, model: string): Promise<void> {
  while ((by[model] ?? 0) < 3 * TENANTS && failed.length === 0) await sleep(50)
}
