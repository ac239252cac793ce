import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { FrozenTool, RunInput } from '../../runs/runs/runs.ts'
import { findReaders, isWrittenByPerson } from './reader-store.ts'

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

/**
 * Checks that a run may use what is open to its person alone. `services` are those at which the person signed in for own tools. Members of
 * a project may read the rows of a database and the answer of a service, but not the mails and events of a person. The interface of an own
 * tool may call the service that it comes from.
 * @throws AppError `forbidden` when the run answers words of others, or others read its reply
 */
export async function assertNotWithheld(
  db: Db,
  input: Started,
  uses: 'accounts' | 'databases' | 'services',
): Promise<void> {
  const isOwnInterface = uses === 'services' && input.standalone?.by_interface
  if (!isOwnInterface && (await isSteeredByOthers(db, input)))
    throw new AppError('forbidden', toolError('others_wrote'))
  const sessionId = input.standalone ? input.standalone.session_id : input.session_id
  const readers = sessionId === null ? null : await findReaders(db, sessionId)
  if (readers === 'outside' || (readers === 'project' && uses === 'accounts'))
    throw new AppError('forbidden', toolError('others_read'))
}

type Tooled = { tools: FrozenTool[] }
type Offering = Started &
  Tooled &
  Pick<RunInput, 'tool_choice'> & { assistants?: RunInput['assistants']; compared?: RunInput['compared'] }

/**
 * Takes the `personal` tools, which use accounts or databases of their person, from a run that answers words of others. In a chat that
 * others only read, the tools are offered and say why they are not used.
 */
export async function withholdTools<Input extends Offering>(
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
