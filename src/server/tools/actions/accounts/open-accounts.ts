import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { AccountKind } from '#shared/tools/actions/personal-accounts.ts'
import type { ToolMeans } from '#shared/tools/tools/tool.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { openCaldav } from '../providers/caldav/caldav-account.ts'
import { openMailbox } from '../providers/imap/imap-account.ts'
import type { OpenAccount } from '../providers/provider-port.ts'
import type { AccountDeps } from './account-deps.ts'
import { createTokens } from './account-tokens.ts'
import { listAccounts, type StoredAccount } from './personal-account-store.ts'
import { findSignInService } from './sign-in-services.ts'

type Means = Exclude<ToolMeans, 'database'>

/** The uses of each kind of account. */
export const meansOf = {
  imap: ['mail'],
  caldav: ['calendar'],
  google: ['mail', 'calendar'],
  microsoft: ['mail', 'calendar'],
  jira: ['tickets'],
} as const satisfies Record<AccountKind, readonly Means[]>

/** Returns what the connected accounts of a person are good for. */
export async function meansOfPerson(db: Kysely<Tables>, userId: string): Promise<ReadonlySet<ToolMeans>> {
  const accounts = await listAccounts(db, userId)
  return new Set(accounts.flatMap(({ kind }) => meansOf[kind]))
}

/** Returns the accounts of a person for some means, those connected first before others. */
export async function accountsFor(
  db: Kysely<Tables>,
  userId: string,
  means: Means,
): Promise<StoredAccount[]> {
  const accounts = await listAccounts(db, userId)
  return accounts.filter(({ kind }) => (meansOf[kind] as readonly Means[]).includes(means))
}

/** Opens a stored account for one call. @throws AppError `not_connected` when its secrets can no longer be used */
export function openStored(
  deps: AccountDeps,
  userId: string,
  { kind, address, sealed }: StoredAccount,
  signal: AbortSignal,
): OpenAccount {
  const stored = z.record(z.string(), z.unknown()).parse(JSON.parse(deps.secrets.open(sealed)))
  const context = { config: deps.config, outbound: deps.outbound, signal, now: () => deps.clock.now() }
  if (kind === 'imap') return openMailbox(context, stored)
  if (kind === 'caldav') return openCaldav(context, stored)
  const account = createTokens(deps, { userId, kind, address })
  return findSignInService(kind).open({ ...context, address, account })
}
