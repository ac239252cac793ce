import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#shared/platform/errors.ts'
import { isUnreachable } from '../../../platform/db/db.ts'
import type { Deps } from '../../../tools/deps.ts'
import { findChannel, noteState, type StoredChannel } from '../channel-store.ts'
import { openWire } from '../open-wire.ts'
import { requestWork } from '../request-work.ts'
import type { Wire } from '../wire.ts'
import { answerPress } from './answer-question.ts'
import { isRetrying, isWorking, listEnded, listWaiting, settleEvent, wakeThread } from './message-store.ts'
import { insertPost, insertQuestions } from './post-store.ts'
import { refuse } from './refuse.ts'
import { isRateLimit, runAll } from './run-all.ts'
import { closeQuestions, sendPosts } from './send-posts.ts'
import { startMessage } from './start-message.ts'

const BATCH = 50
/** Time that a job looks after running replies before others have their turn. */
const JOB_MS = 40_000
const PAUSE_MS = 400
/** Seconds to wait when the service does not say how long. */
const DEFAULT_WAIT_S = 5

/** Answers what came from a service until nothing runs any more. The jobs of a connection follow each other. */
export async function workOnChannel(deps: Deps, channelId: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + JOB_MS
  while (!signal.aborted) {
    const channel = await findChannel(deps.db, channelId)
    if (!channel?.is_on || (channel.paused_until && channel.paused_until > new Date())) return
    const waits = await turn(deps, channel)
    if (waits > 0) return requestWork(deps, channelId, new Date(Date.now() + waits * 1000))
    if (!(await isWorking(deps.db, channelId))) return
    if (performance.now() > end) return requestWork(deps, channelId)
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Does everything that can be done now. A step that fails keeps no later step from its turn, and what failed is postponed on its own.
 * Returns the seconds to wait when the service asks for it, otherwise 0.
 */
async function turn(deps: Deps, channel: StoredChannel): Promise<number> {
  const failures: AppError[] = []
  const attempt = async (step: () => Promise<unknown>) => {
    try {
      await step()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failures.push(error)
    }
  }
  await attempt(async () => {
    const wire = openWire(deps, channel)
    await runAll(
      [
        () => takeEvents(deps, wire, channel),
        () => insertQuestions(deps.db, channel.id),
        () => endMessages(deps, channel),
        () => sendPosts(deps, wire, channel),
        () => closeQuestions(deps, wire, channel),
      ],
      attempt,
    )
  })
  const limit = failures.find(isRateLimit)
  const detail = (limit ?? failures[0])?.detail ?? null
  const waits = limit ? (limit.retryAfterSeconds ?? DEFAULT_WAIT_S) : 0
  if (detail !== null) await noteState(deps.db, channel.id, detail, waits)
  else if (channel.detail !== null && !(await isRetrying(deps.db, channel.id)))
    await noteState(deps.db, channel.id, null)
  return waits
}

async function takeEvents(deps: Deps, wire: Wire, channel: StoredChannel): Promise<void> {
  await runAll(await listWaiting(deps.db, channel.id, BATCH), async (event) => {
    try {
      if (event.kind === 'press') await answerPress(deps, wire, channel, event)
      else await startMessage(deps, wire, channel, event)
    } catch (error) {
      if (error instanceof AppError || isUnreachable(error)) throw error
      deps.log.error({ err: error, event: event.id }, 'A message of a channel could not be answered.')
      await refuse(deps, channel, event, 'The reply could not start.')
    }
  })
}

/** The answer is decided in the transaction that ends its message. */
async function endMessages({ db }: Deps, channel: StoredChannel): Promise<void> {
  for (const { id, thread_id } of await listEnded(db, channel.id, BATCH))
    await db.transaction().execute(async (trx) => {
      await insertPost(trx, { channelId: channel.id, threadId: thread_id, eventId: id, kind: 'answer' })
      await settleEvent(trx, id)
      await wakeThread(trx, thread_id)
    })
}
