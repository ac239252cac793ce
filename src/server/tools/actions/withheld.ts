import type { Kysely } from 'kysely'
import type { ToolErrorCode } from '#shared/tools/tools/tool-errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { FrozenTool, RunInput } from '../../runs/runs/runs.ts'
import { isReadByOthers, isWrittenByPerson } from './accounts/personal-account-store.ts'

type Db = Kysely<Tables>
type Started = Pick<RunInput, 'session_id' | 'user_message_id' | 'visitor' | 'is_program' | 'standalone'>

/**
 * Returns whether a run answers words that its person did not write themselves in Atrium: those of a visitor, a program, a mail, an event,
 * another person or the interface of a tool. It also does when the message is gone.
 */
async function isSteeredByOthers(db: Db, input: Started): Promise<boolean> {
  if (input.visitor || input.is_program || input.standalone?.by_interface) return true
  if (input.standalone) return false
  return !(await isWrittenByPerson(db, input.user_message_id))
}

/** Returns why a run does not use the accounts of its person; null if it may. */
export async function whyWithheld(db: Db, input: Started): Promise<ToolErrorCode | null> {
  if (await isSteeredByOthers(db, input)) return 'others_wrote'
  const sessionId = input.standalone ? input.standalone.session_id : input.session_id
  return sessionId !== null && (await isReadByOthers(db, sessionId)) ? 'others_read' : null
}

type Tooled = { tools: FrozenTool[] }
type Offering = Started &
  Tooled &
  Pick<RunInput, 'tool_choice'> & { assistants?: RunInput['assistants']; compared?: RunInput['compared'] }

/**
 * Takes the `personal` tools, which use accounts of their person, from a run that answers words of others. In a chat that others only
 * read, the tools are offered and say why they are not used.
 */
export async function withholdAccounts<Input extends Offering>(
  db: Db,
  input: Input,
  personal: readonly string[],
): Promise<Input> {
  if (!(await isSteeredByOthers(db, input))) return input
  const without = <Part extends Tooled>(part: Part): Part => ({
    ...part,
    tools: part.tools.filter(({ id }) => !personal.includes(id)),
  })
  const { tool_choice, assistants, compared } = input
  return {
    ...without(input),
    tool_choice: tool_choice !== null && personal.includes(tool_choice) ? null : tool_choice,
    ...(assistants && { assistants: assistants.map(without) }),
    ...(compared && { compared: compared.map(without) }),
  }
}
