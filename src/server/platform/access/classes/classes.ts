import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { Tables } from '../../db/tables.ts'
import type { Principal } from '../principal.ts'
import {
  findChatSources,
  findProjectOfChat,
  findRefusal,
  findRefusedReceivers,
  insertSources,
  isRestricted,
  type Refusal,
  type Source,
} from './source-store.ts'

export {
  absorbSources,
  copyClass,
  copyOtherSources,
  copyPathSources,
  copySources,
  insertReplyRun,
  type Source,
  takeClassOfRun,
} from './source-store.ts'

/** The texts that calls send: those of a run, of a chat up to a message, of readings, or nothing but what is noted. */
export type Sending = {
  runId?: string
  /** Number of records in the journal of the run. */
  position?: () => number
  leafId?: string
  readingIds?: readonly string[]
  language?: Language
  /** Returns the reader of the refusal, for the names in it. Without one, names are left out. */
  reader?: () => Promise<Principal>
}

type Scope = Sending & { noted: Map<string, Source>; more: readonly Source[] }

/** A recipient of text: a provider of models, web search, or tools with a server of their own. */
type Receiver = { id: string; name: string }
export const WEB = 'web'
export const TOOLS = 'tools'

const current = new AsyncLocalStorage<Scope | undefined>()

/** Does work whose calls send what is described, and what is noted meanwhile. */
export const sending = <T>(what: Sending, work: () => T): T =>
  current.run({ ...what, noted: new Map(), more: [] }, work)

/** Does work without a description. Its calls are refused by every receiver that is restricted. */
export const undescribed = <T>(work: () => T): T => current.run(undefined, work)

/** Does work whose calls send text of these things too. They are not noted. */
export function sendingAlso<T>(sources: readonly Source[], work: () => T): T {
  const scope = current.getStore()
  return current.run(scope && { ...scope, more: [...scope.more, ...sources] }, work)
}

/** Notes things before their text is used. A run keeps them: its later calls, and the chat after it, send them too. */
export async function noteSources(db: Kysely<Tables>, sources: readonly Source[]): Promise<void> {
  const scope = current.getStore()
  const fresh = sources.filter((source) => scope && !scope.noted.has(keyOf(source)))
  if (!scope || fresh.length === 0) return
  if (scope.runId !== undefined) await insertSources(db, scope.runId, scope.position?.() ?? 0, fresh)
  for (const source of fresh) scope.noted.set(keyOf(source), source)
}

/** Gives a new run what the request that starts it has read. */
export async function keepNoted(trx: Kysely<Tables>, runId: string): Promise<void> {
  const scope = current.getStore()
  if (scope && scope.noted.size > 0) await insertSources(trx, runId, 0, [...scope.noted.values()])
}

/** Notes what is in another chat before its messages are used. */
export const noteChat = async (db: Kysely<Tables>, sessionId: string): Promise<void> =>
  noteSources(db, await findChatSources(db, sessionId))

export const noteDocuments = (db: Kysely<Tables>, ids: Iterable<string>): Promise<void> =>
  noteSources(
    db,
    [...new Set(ids)].map((id) => ({ kind: 'document', id })),
  )

const keyOf = ({ kind, id }: Source) => `${kind} ${id}`

/** Checks calls to receivers by the classes of what they send. */
type ClassGate = {
  /** @throws AppError `class_refused` */
  assert: () => Promise<void>
  /** Returns the refusal as a sentence for the person; null when the receiver may receive everything that is sent. */
  explain: () => Promise<string | null>
}

/** Returns the gate of one call with what it sends now. Each check reads the present classes. */
export function createClassGate(db: Kysely<Tables>, receiver: Receiver): ClassGate {
  const scope = current.getStore()
  const explain = async () => {
    const refused = await refusalOf(db, receiver.id, scope)
    return refused && sayRefusal(refused, receiver, scope?.language)
  }
  return {
    explain,
    assert: async () => {
      const detail = await explain()
      if (detail !== null) throw new AppError('class_refused', detail)
    },
  }
}

async function refusalOf(
  db: Kysely<Tables>,
  receiver: string,
  scope: Scope | undefined,
): Promise<Refusal | 'undescribed' | null> {
  if (!(await isRestricted(db, receiver))) return null
  if (!scope) return 'undescribed'
  const sources = [...scope.noted.values(), ...scope.more]
  const reader = (await scope.reader?.()) ?? null
  return findRefusal(db, receiver, { ...scope, sources, reader })
}

type Shown = {
  sessionId: string
  leafId: string | null
  reader: Principal
  language: Language
  limit: number
}

/** Returns the receivers that may not receive the texts of a chat up to a message, with the reason for the person. */
export async function explainRefusals(
  db: Kysely<Tables>,
  { sessionId, leafId, reader, language, limit }: Shown,
  names: ReadonlyMap<string, string>,
): Promise<{ receiver: string; reason: string }[]> {
  const projectId = await findProjectOfChat(db, sessionId)
  const sources = projectId ? [{ kind: 'project' as const, id: projectId }] : []
  const refused = await findRefusedReceivers(db, { ...(leafId && { leafId }), sources, reader }, limit)
  return refused.map(({ receiver, ...refusal }) => ({
    receiver,
    reason: sayReason(refusal, { id: receiver, name: names.get(receiver) ?? receiver }, language),
  }))
}

/** Names the class, the thing and the ways out, in the language of the person. */
function sayRefusal(refused: Refusal | 'undescribed', receiver: Receiver, language: Language = 'en'): string {
  if (refused === 'undescribed')
    return `Atrium does not know the class of this text, so ${receiver.name} may not receive it.`
  const isModel = receiver.id !== WEB && receiver.id !== TOOLS
  return `${sayReason(refused, receiver, language)} ${words[language][isModel ? 'model' : 'other']}`
}

function sayReason(refused: Refusal, { name }: Receiver, language: Language): string {
  const { [refused.kind]: named, gone, hidden } = words[language]
  const thing = refused.name === null ? gone : refused.name === '' ? hidden : named(refused.name)
  return words[language].may(thing, refused.class, name)
}

const words = {
  en: {
    document: (name: string) => `The document “${name}”`,
    project: (name: string) => `The project “${name}”`,
    connector: (name: string) => `The connector “${name}”`,
    database: (name: string) => `The database “${name}”`,
    gone: 'A deleted source of this chat',
    hidden: 'A source of this chat',
    may: (thing: string, level: string, receiver: string) =>
      `${thing} has the class “${level}”, which ${receiver} may not receive.`,
    model: 'Choose a model that may receive it, or continue in a chat without this text.',
    other: 'Continue without this service, or in a chat without this text.',
  },
  fr: {
    document: (name: string) => `Le document « ${name} »`,
    project: (name: string) => `Le projet « ${name} »`,
    connector: (name: string) => `Le connecteur « ${name} »`,
    database: (name: string) => `La base de données « ${name} »`,
    gone: 'Une source supprimée de cette discussion',
    hidden: 'Une source de cette discussion',
    may: (thing: string, level: string, receiver: string) =>
      `${thing} est de la classe « ${level} », que ${receiver} ne peut pas recevoir.`,
    model: 'Choisissez un modèle qui peut la recevoir, ou continuez dans une discussion sans ce texte.',
    other: 'Continuez sans ce service, ou dans une discussion sans ce texte.',
  },
} satisfies Record<Language, unknown>

/** Returns whether a failure is a refusal because of a class. */
export const isClassRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'class_refused'
