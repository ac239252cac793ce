import clsx from 'clsx'
import {
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CirclePause,
  CircleStop,
  CircleX,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react'
import type { SessionMark } from './session-mark.ts'

/** The icon of a session's state, always shown with its word. */
export function SessionMarkIcon({ mark }: { mark: SessionMark }) {
  const { icon: Icon, ink } = marks[mark]
  return <Icon aria-hidden className={clsx('icon-12', ink)} />
}

const marks: Record<SessionMark, { icon: LucideIcon; ink: string }> = {
  running: { icon: LoaderCircle, ink: 'animate-spin text-accent' },
  waiting: { icon: CirclePause, ink: 'text-warning' },
  paused: { icon: CirclePause, ink: 'text-ink-2' },
  completed: { icon: CircleCheck, ink: 'text-success' },
  stopped: { icon: CircleStop, ink: 'text-ink-2' },
  failed: { icon: CircleX, ink: 'text-danger' },
  new: { icon: CircleDot, ink: 'text-ink-3' },
  idle: { icon: Circle, ink: 'text-ink-3' },
  loading: { icon: CircleDashed, ink: 'text-ink-3' },
  unknown: { icon: CircleHelp, ink: 'text-ink-3' },
}
