import {
  BookMarked,
  Bot,
  Bug,
  CalendarClock,
  Folder,
  House,
  type LucideIcon,
  MessageSquare,
  Shield,
  Wrench,
} from 'lucide-react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { wantsHome } from '#shared/lifecycle/home/home-page.ts'
import { isOpenTo } from '../../platform/lib/me/me.ts'
import { maySee, type ViewName } from './view-names.ts'

export type Entry = {
  view: ViewName
  path:
    | '/'
    | '/home'
    | '/documents'
    | '/assistant'
    | '/prompts'
    | '/schedules'
    | '/tools'
    | '/debug'
    | '/admin'
  icon: LucideIcon
}

const entries: Entry[] = [
  { view: 'home', path: '/home', icon: House },
  { view: 'chat', path: '/', icon: MessageSquare },
  { view: 'documents', path: '/documents', icon: Folder },
  { view: 'assistant', path: '/assistant', icon: Bot },
  { view: 'prompts', path: '/prompts', icon: BookMarked },
  { view: 'schedules', path: '/schedules', icon: CalendarClock },
  { view: 'tools', path: '/tools', icon: Wrench },
  { view: 'debug', path: '/debug', icon: Bug },
  { view: 'admin', path: '/admin', icon: Shield },
]

/** Returns the sidebar entries visible to a user. */
export function entriesFor(user: User): Entry[] {
  return entries.filter(
    ({ view }) => maySee(view, user) && isOpenTo(user, view) && (view !== 'home' || wantsHome(user)),
  )
}

/** Returns the path of an entry. Chat leads to the current session. */
export function entryPath(entry: Entry, currentSessionId: string | null): string {
  return entry.view === 'chat' && currentSessionId ? `/chat/${currentSessionId}` : entry.path
}
