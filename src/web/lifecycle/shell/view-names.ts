import type { User } from '#shared/identity/accounts/accounts.ts'
import { isAdmin, isSuperAdmin } from '../../platform/lib/me/roles.ts'

export type ViewName =
  | 'home'
  | 'chat'
  | 'project'
  | 'documents'
  | 'assistant'
  | 'prompts'
  | 'schedules'
  | 'tools'
  | 'debug'
  | 'admin'
  | 'user'

const order: ViewName[] = [
  'home',
  'chat',
  'project',
  'documents',
  'assistant',
  'prompts',
  'schedules',
  'tools',
  'debug',
  'admin',
  'user',
]

/** Returns the view of a path by its prefix; chat by default. */
export function viewOf(path: string): ViewName {
  const prefix = path.split('/')[1]
  return order.find((view) => view === prefix) ?? 'chat'
}

/** The tabs of the user view; the first one is also the default. */
export const userTabs = ['preferences', 'security', 'notifications', 'accounts', 'keys', 'billing', 'data']

/** Returns whether a person may open a path. */
export function mayOpen(path: string, user: User): boolean {
  const [, prefix, tab] = path.split('/')
  if (prefix === 'user' && tab && !userTabs.includes(tab)) return false
  if (path === '/admin/models') return isSuperAdmin(user)
  return maySee(viewOf(path), user)
}

/** Returns whether a person may see a view. Documents, assistants, prompts and tools are open to everyone. */
export function maySee(view: ViewName, user: User): boolean {
  if (view === 'debug') return isSuperAdmin(user)
  if (view === 'admin') return isAdmin(user)
  return true
}

export type Transition = 'view-forward' | 'view-back' | 'view-rise' | 'view-sink' | 'view-fade'

/**
 * Returns the transition between two views: forward and back along the sidebar, the user view rises and sinks, login fades.
 * Null within a view.
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
