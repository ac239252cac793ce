import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'

type Gated = { beta_access: boolean; deactivated_at: Date | null; affiliations: { role: string }[] }
type Config = Pick<Platform['config'], 'ATRIUM_BETA'>

/** Returns whether a user may enter: not when deactivated; with `ATRIUM_BETA=on` only beta users and super admins. */
export function mayEnter(config: Config, user: Gated): boolean {
  return user.deactivated_at === null && hasBetaAccess(config, user)
}

/** @throws AppError `account_deactivated`, `beta_required` */
export function assertMayEnter(config: Config, user: Gated): void {
  if (user.deactivated_at) throw deactivated()
  if (!hasBetaAccess(config, user))
    throw new AppError(
      'beta_required',
      'This product is in closed beta. Ask an administrator for beta access.',
    )
}

export function hasBetaAccess({ ATRIUM_BETA }: Config, user: Pick<Gated, 'beta_access' | 'affiliations'>) {
  const isSuperAdmin = user.affiliations.some(({ role }) => role === 'super_admin')
  return ATRIUM_BETA === 'off' || user.beta_access || isSuperAdmin
}

export const deactivated = () =>
  new AppError('account_deactivated', 'This account is deactivated. Ask an administrator.')
