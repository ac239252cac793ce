import { keepAccount } from '../../../src/server/tools/actions/accounts/personal-account-store.ts'
import { findSignInService, hasSignIn } from '../../../src/server/tools/actions/accounts/sign-in-services.ts'
import type { AccountKind } from '../../../src/shared/tools/actions/personal-accounts.ts'
import type { TestApp } from '../app.ts'
import type { MailboxWorld } from './mailbox-world.ts'
import type { ServiceWorld } from './service-world.ts'

type Worlds = { mailbox?: MailboxWorld; services?: ServiceWorld }

/** Connects an account of a person, as their sign-in at the service would. Its token names the person. */
export async function keepTestAccount(
  { deps }: TestApp,
  userId: string,
  kind: AccountKind,
  { mailbox, services }: Worlds,
  address = 'ada@example.com',
): Promise<void> {
  const url = services?.url ?? ''
  const entered = {
    imap: () => mailbox?.settings(address),
    caldav: () => ({ address, url: `${url}/dav/ada/all/work/`, username: 'ada', password: 'sesame' }),
  }
  const tokens = () => ({
    service: findSignInService(kind).serviceOf(deps.config),
    ...{ access: `token-of-${address}`, refresh: null, until: null },
    facts: { cloud: 'cloud-1', site: 'https://acme.atlassian.test' },
  })
  const stored = hasSignIn(kind) ? tokens() : entered[kind as 'imap' | 'caldav']()
  const sealed = deps.secrets.seal(JSON.stringify(stored))
  await keepAccount(deps.db, { userId, kind }, { address, sealed, now: new Date() })
}
