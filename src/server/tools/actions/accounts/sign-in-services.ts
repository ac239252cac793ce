import type { AccountKind } from '#shared/tools/actions/personal-accounts.ts'
import type { Service } from '../../../platform/outbound/oauth/oauth-service.ts'
import { google } from '../providers/google/google-account.ts'
import { jira } from '../providers/jira/jira-account.ts'
import { microsoft } from '../providers/microsoft/microsoft-account.ts'
import type { SignInService } from '../providers/signed-account.ts'

const services: Partial<Record<AccountKind, SignInService>> = { google, microsoft, jira }

/** @throws Error for a kind whose settings are entered */
export function findSignInService(kind: AccountKind): SignInService {
  const found = services[kind]
  if (!found) throw new Error(`There is no sign-in for ${kind}.`)
  return found
}

export const hasSignIn = (kind: AccountKind): boolean => services[kind] !== undefined

/** Addresses that an administrator configured. They may be private. */
export const trustedOf = ({ authorize, token }: Service): string[] => [authorize, token]
