import {
  MAX_PROMPTS,
  type Prompt,
  type PromptChanges,
  type PromptContent,
} from '#shared/chat/prompts/prompts.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { contentOf, insertVersion } from './prompt-version-store.ts'
import { findPrompt, insertPrompt, lockCommands, lockPrompt, readPrompt, updatePrompt } from './store.ts'
import { toPrompt } from './to-prompt.ts'

type Deps = Pick<Platform, 'db' | 'clock'>

/** Stores a new prompt and its first version. @throws AppError `conflict` for a taken command, and at the maximum */
export async function createPrompt(
  { db }: Pick<Deps, 'db'>,
  user: Caller,
  content: PromptContent,
  audit: Audit,
): Promise<Prompt> {
  return db.transaction().execute(async (trx) => {
    const taken = await lockCommands(trx, user.id)
    assertRoom(taken.size + 1)
    assertFree(taken, content.command, null)
    return toPrompt(await readPrompt(trx, user, await store(trx, user, content, audit)), user)
  })
}

/** Stores a prompt with its first version. Returns its id. */
async function store(trx: Deps['db'], user: Caller, content: PromptContent, audit: Audit): Promise<string> {
  const row = await insertPrompt(trx, user.id, content)
  await insertVersion(trx, row, null, { savedBy: user.id })
  await audit(trx, { did: 'prompt.created', subject: row.name, subjectId: row.id })
  return row.id
}

/**
 * Stores prompts with free commands, all or none; `also` runs in the same transaction. Returns how many commands got a number.
 * @throws AppError `conflict`
 */
export async function createPrompts(
  { db }: Pick<Deps, 'db'>,
  user: Caller,
  contents: PromptContent[],
  audit: Audit,
  also?: (trx: Deps['db'], ids: string[]) => Promise<void>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { ids, renamed } = await insertPrompts(trx, user, contents, audit)
    await also?.(trx, ids)
    return renamed
  })
}

/**
 * Stores prompts with free commands in a transaction. Returns their ids in order, and how many commands got a number.
 * @throws AppError `conflict` at the maximum
 */
export async function insertPrompts(
  trx: Deps['db'],
  user: Caller,
  contents: PromptContent[],
  audit: Audit,
): Promise<{ ids: string[]; renamed: number }> {
  const taken = await lockCommands(trx, user.id)
  assertRoom(taken.size + contents.length)
  const commands = new Set(taken.values())
  let renamed = 0
  const ids: string[] = []
  for (const content of contents) {
    const command = freeCommand(commands, content.command)
    if (command !== content.command) renamed += 1
    commands.add(command.toLowerCase())
    ids.push(await store(trx, user, { ...content, command }, audit))
  }
  return { ids, renamed }
}

/** Creates a private copy for a reader of a prompt. @throws AppError `conflict` at the maximum */
export async function duplicatePrompt({ db }: Deps, user: Caller, id: string, audit: Audit): Promise<Prompt> {
  const from = contentOf(await findPrompt(db, user, 'read', id))
  return db.transaction().execute(async (trx) => {
    const taken = await lockCommands(trx, user.id)
    assertRoom(taken.size + 1)
    const command = freeCommand(new Set(taken.values()), from.command)
    const made = await store(trx, user, { ...from, command }, audit)
    return toPrompt(await readPrompt(trx, user, made), user)
  })
}

/**
 * Stores a change and its version; `returnedFrom` is the version it restores. @throws AppError `conflict` for a taken command, and
 * when a newer version exists
 */
export async function savePrompt(
  { db, clock }: Deps,
  user: Caller,
  id: string,
  { version, ...changes }: PromptChanges,
  audit: Audit,
  returnedFrom: number | null = null,
): Promise<Prompt> {
  return db.transaction().execute(async (trx) => {
    const { user_id } = await findPrompt(trx, user, 'write', id)
    const taken = await lockCommands(trx, user_id)
    const before = await lockPrompt(trx, id)
    if (!before) throw new AppError('not_found', 'Prompt not found')
    if (version !== undefined && version !== before.version)
      throw new AppError(
        'conflict',
        `Version ${before.version} was saved meanwhile. Read it, and save your changes to it.`,
      )
    const content = { ...contentOf(before), ...changes }
    assertFree(taken, content.command, id)
    const row = await updatePrompt(trx, id, content, before.version + 1, clock.now())
    const parts = await insertVersion(trx, row, contentOf(before), { savedBy: user.id, returnedFrom })
    const facts = parts.map((what) => ({ what, before: null, after: 'changed' }))
    await audit(trx, { did: 'prompt.changed', subject: row.name, subjectId: id, changes: facts })
    return toPrompt(await readPrompt(trx, user, id), user)
  })
}

/** @throws AppError `conflict` */
function assertRoom(count: number): void {
  if (count <= MAX_PROMPTS) return
  throw new AppError('conflict', `You may have ${MAX_PROMPTS} prompts at most. Delete some first.`)
}

/** @throws AppError `conflict` */
function assertFree(taken: ReadonlyMap<string, string>, command: string, own: string | null): void {
  const other = [...taken].find(([id, one]) => id !== own && one === command.toLowerCase())
  if (other) throw new AppError('conflict', `The command /${command} is taken. Choose another one.`)
}

/** Returns the command, with the first free number at its end if it is taken. */
function freeCommand(taken: ReadonlySet<string>, command: string): string {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`
    const candidate = `${command.slice(0, 60 - end.length)}${end}`
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}
