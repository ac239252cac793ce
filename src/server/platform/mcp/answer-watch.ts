/** The SDK processes the last events of a stream shortly after its end. */
const GRACE_MS = 250

/** Methods whose requests expect one answer. */
const ANSWERED = /^(tools|prompts|resources)\//

export type Asked = { id: unknown; method: string }

/** Detects answers that end incomplete. The SDK would wait for them until the timeout. */
export type AnswerWatch = {
  /** A message arrived. */
  hear: (message: object) => void
  /** The answer to a request ended. One that can be resumed is still expected. */
  end: (asked: Asked, canResume: boolean) => void
  /** An answer could not be resumed. */
  giveUp: () => void
}

export function createAnswerWatch(onUnfinished: () => void): AnswerWatch {
  const answered = new Set<unknown>()
  const resuming = new Set<unknown>()
  const isOpen = (id: unknown) => !answered.has(id)
  return {
    hear: (message) => {
      if (!('id' in message) || 'method' in message) return
      answered.add(message.id)
      resuming.delete(message.id)
    },
    end: ({ id, method }, canResume) => {
      if (!ANSWERED.test(method)) return
      if (canResume) resuming.add(id)
      else setTimeout(() => isOpen(id) && onUnfinished(), GRACE_MS).unref()
    },
    giveUp: () => {
      if ([...resuming].some(isOpen)) onUnfinished()
    },
  }
}
