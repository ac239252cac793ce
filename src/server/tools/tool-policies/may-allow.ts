import { AppError } from '#shared/platform/errors.ts'
import { administeredBy, type Principal, reaches } from '../../platform/access/access.ts'
import type { LoadedTool } from '../tools/tools.ts'

/** The owner of a set of tools, and the companies it is shared with. */
type Whose = { userId: string; companies: readonly string[] }

/**
 * Returns whether a person may let the tools of a set run without asking: the owner of a private set, and anyone who
 * administers every company of a shared one. A super admin may for their own sets.
 */
export function mayAllow(user: Principal & { id: string }, { userId, companies }: Whose): boolean {
  if (companies.length === 0 || (userId === user.id && reaches(user, 'super_admin')))
    return userId === user.id
  const administered = new Set(administeredBy(user))
  return companies.every((id) => administered.has(id))
}

/** @throws AppError `forbidden` */
export function assertMayAllow(user: Principal & { id: string }, whose: Whose): void {
  if (mayAllow(user, whose)) return
  throw new AppError(
    'forbidden',
    'Only the owner of this server, or an administrator of the companies it is shared with, can let its tools run without asking.',
  )
}

/** Returns whether a person may let a tool run without asking, for themselves or with an assistant of theirs. */
export function mayRunUnasked(user: Principal & { id: string }, { contract, made }: LoadedTool): boolean {
  return made?.kind !== 'mcp' || contract.policy === 'auto' || mayAllow(user, made)
}

/**
 * Checks that a person may let a tool run without asking, and has seen its current version.
 * @throws AppError `forbidden`, `conflict` for an older version
 */
export function assertMayRunUnasked(
  user: Principal & { id: string },
  tool: LoadedTool,
  seen: number | null,
): void {
  const { contract, made } = tool
  if (made && !mayRunUnasked(user, tool)) assertMayAllow(user, made)
  if (made && seen !== null && seen !== made.version)
    throw new AppError(
      'conflict',
      `${contract.name} has changed since you were asked. Read its description before you let it run without asking.`,
    )
}
