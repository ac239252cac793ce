import { accounts } from './calls/accounts.ts'
import { administration } from './calls/administration.ts'
import { chats } from './calls/chats.ts'
import type { Described } from './calls/described.ts'
import { library } from './calls/library.ts'
import { programs } from './calls/programs.ts'
import { tools } from './calls/tools.ts'

/**
 * How each route is called. One that is not here fails the test of the table: whoever adds a route says how it is called
 * and reads in docs/access.md who may.
 */
export const calls: Record<string, Described[]> = {
  ...accounts,
  ...chats,
  ...tools,
  ...library,
  ...administration,
  ...programs,
}
