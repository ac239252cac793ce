import type { Deps } from '../../tools/deps.ts'

export const WORK = 'channels.answer'

/** Works on a connection without waiting for the minute. The jobs of a connection share one queue, so one at a time runs. */
export async function requestWork(
  { jobs }: Pick<Deps, 'jobs'>,
  channelId: string,
  runAt?: Date,
): Promise<void> {
  const name = `channel:${channelId}`
  await jobs.add(WORK, { channelId }, { key: name, queue: name, ...(runAt && { runAt }) })
}
