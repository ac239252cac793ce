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

/** An announcement for screen readers. Words of an answer are counted, never read out while they arrive. */
export type Announcement = { occasion: Occasion; words: number; tool: string; isUrgent: boolean }

const stillEveryMs = 10_000

export const useAnnouncement = create<{ last: Announcement | null }>(() => ({ last: null }))

let timer: ReturnType<typeof setInterval> | undefined

/** Announces something in the polite status region. `detail` is the answer's text, or a tool's name. */
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

/** A paused run resumed, so nothing is announced until the next occasion. */
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
