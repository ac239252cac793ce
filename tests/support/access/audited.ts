import { accounts } from './audited/accounts.ts'
import { administration } from './audited/administration.ts'
import { chats } from './audited/chats.ts'
import { library } from './audited/library.ts'
import { programs } from './audited/programs.ts'
import type { Audited } from './audited/reasons.ts'
import { tools } from './audited/tools.ts'

/** Every writing route must be listed here with its audit actions, or the test of the audit log fails. */
export const audited: Record<string, Audited> = {
  ...accounts,
  ...chats,
  ...tools,
  ...library,
  ...administration,
  ...programs,
}
