import { AppError } from '#shared/errors.ts'
import type { Platform } from '../platform.ts'

type Gated = { beta_access: boolean; affiliations: { role: string }[] }

/** Whether the product is open to a user: while `ATRIUM_BETA=on`, only to those with the beta flag and super admins. */
export function hasBetaAccess(
  { ATRIUM_BETA }: Pick<Platform['config'], 'ATRIUM_BETA'>,
  user: Gated,
): boolean {
  const isSuperAdmin = user.affiliations.some(({ role }) => role === 'super_admin')
  return ATRIUM_BETA === 'off' || user.beta_access || isSuperAdmin
}

/** @throws AppError `beta_required` */
export function assertBetaAccess(config: Pick<Platform['config'], 'ATRIUM_BETA'>, user: Gated): void {
  if (hasBetaAccess(config, user)) return
  throw new AppError('beta_required', 'This product is in closed beta. Ask an administrator for beta access.')
}
