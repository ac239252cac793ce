import { Bot, Bug, Folder, type LucideIcon, MessageSquare, Shield, Wrench } from 'lucide-react'
import type { User } from '#shared/accounts/accounts.ts'
import { isAdmin, isSuperAdmin } from '../lib/roles.ts'

export type ViewName = 'chat' | 'documents' | 'assistant' | 'tools' | 'debug' | 'admin' | 'user'

const order: ViewName[] = ['chat', 'documents', 'assistant', 'tools', 'debug', 'admin', 'user']

/** The view a path belongs to, by its prefix; chat when nothing else fits. */
export function viewOf(path: string): ViewName {
  const prefix = path.split('/')[1]
  return order.find((view) => view === prefix) ?? 'chat'
}

/** Whether a person may see a view. Documents, assistants and tools are for everybody. */
export function maySee(view: ViewName, user: User): boolean {
  if (view === 'debug') return isSuperAdmin(user)
  if (view === 'admin') return isAdmin(user)
  return true
}

export type Entry = {
  view: ViewName
  path: '/' | '/documents' | '/assistant' | '/tools' | '/debug' | '/admin'
  icon: LucideIcon
}

const entries: Entry[] = [
  { view: 'chat', path: '/', icon: MessageSquare },
  { view: 'documents', path: '/documents', icon: Folder },
  { view: 'assistant', path: '/assistant', icon: Bot },
  { view: 'tools', path: '/tools', icon: Wrench },
  { view: 'debug', path: '/debug', icon: Bug },
  { view: 'admin', path: '/admin', icon: Shield },
]

/** The sidebar entries a person sees. */
export function entriesFor(user: User): Entry[] {
  return entries.filter(({ view }) => maySee(view, user))
}

/** Where an entry leads: chat goes back to the current conversation. */
export function entryPath(entry: Entry, currentSessionId: string | null): string {
  return entry.view === 'chat' && currentSessionId ? `/chat/${currentSessionId}` : entry.path
}

export type Transition = 'view-forward' | 'view-back' | 'view-rise' | 'view-sink' | 'view-fade'

/**
 * How one view gives way to another: forward and back along the sidebar, the user view rises over what was there and
 * sinks again, login fades. Null within the same view.
 */
export function transitionBetween(from: string | undefined, to: string): Transition | null {
  if (from === undefined) return null
  const isLogin = (path: string) => path === '/login' || path.startsWith('/login/')
  if (isLogin(from) || isLogin(to)) return isLogin(from) && isLogin(to) ? null : 'view-fade'
  const [before, after] = [viewOf(from), viewOf(to)]
  if (before === after) return null
  if (after === 'user') return 'view-rise'
  if (before === 'user') return 'view-sink'
  return order.indexOf(after) > order.indexOf(before) ? 'view-forward' : 'view-back'
}
