import { create } from 'zustand'

export type Occasion =
  | 'started'
  | 'still'
  | 'finished'
  | 'stopped'
  | 'failed'
  | 'paused'
  | 'delayed'
  | 'waiting'
  | 'not_begun'
  | 'tool_started'
  | 'tool_finished'
  | 'input_required'

/** What a screen reader is told. Words of an answer are counted, never read out while they come. */
export type Announcement = { occasion: Occasion; words: number; tool: string; isUrgent: boolean }

const stillEveryMs = 10_000

export const useAnnouncement = create<{ last: Announcement | null }>(() => ({ last: null }))

let timer: ReturnType<typeof setInterval> | undefined

/** Says one thing, in the one polite status region. `detail` is the answer's text, or a tool's name. */
export function announce(occasion: Occasion, detail = ''): void {
  clearInterval(timer)
  timer = undefined
  say(occasion, detail)
  const isOver =
    occasion === 'finished' ||
    occasion === 'stopped' ||
    occasion === 'failed' ||
    occasion === 'paused' ||
    occasion === 'delayed' ||
    occasion === 'waiting' ||
    occasion === 'not_begun' ||
    occasion === 'input_required'
  if (!isOver) sayStill()
}

/** What had to wait goes on: nothing is said before the next time. */
export function sayStill(): void {
  clearInterval(timer)
  timer = setInterval(() => say('still', ''), stillEveryMs)
}

function say(occasion: Occasion, detail: string): void {
  const isTool = occasion === 'tool_started' || occasion === 'tool_finished'
  useAnnouncement.setState({
    last: {
      occasion,
      words: isTool ? 0 : (detail.match(/\S+/g)?.length ?? 0),
      tool: isTool ? detail : '',
      isUrgent: occasion === 'input_required' || occasion === 'failed',
    },
  })
}
