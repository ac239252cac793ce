import type { Deps } from '../../tools/deps.ts'

export const ANSWER = 'answer-mails'

/** Answers waiting mails without waiting for the minute. All such jobs share one queue, so one at a time runs. */
export async function requestAnswers({ jobs }: Pick<Deps, 'jobs'>): Promise<void> {
  await jobs.add(ANSWER, {}, { key: ANSWER, queue: ANSWER })
}
