import { accounts } from './calls/accounts.ts'
import { administration } from './calls/administration.ts'
import { chats } from './calls/chats.ts'
import type { Described } from './calls/described.ts'
import { library } from './calls/library.ts'
import { programs } from './calls/programs.ts'
import { tools } from './calls/tools.ts'

/**
 * Calls of each route. Every route must be listed, or the test of the access table fails. docs/access.md shows who may call it.
 */
export const calls: Record<string, Described[]> = {
  ...accounts,
  ...chats,
  ...tools,
  ...library,
  ...administration,
  ...programs,
}
