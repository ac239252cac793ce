import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import * as contract from '#shared/models/data-classes/data-classes.ts'
import { listRefusedProviders } from '#shared/models/data-classes/refused-providers.ts'
import { AppError } from '#shared/platform/errors.ts'
import { actorOf, changed, writeAudit } from '../../identity/audit/audit.ts'
import { companiesOf, findAllowed } from '../../platform/access/access.ts'
import { explainRefusals, TOOLS, WEB } from '../../platform/access/classes/classes.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { ModelDeps } from '../model-deps.ts'
import {
  deleteClass,
  findClasses,
  findCompanyClasses,
  findReceivers,
  hasReceivers,
  holdClass,
  insertClass,
  lockCompanyOfClasses,
  renameClass,
  writeDefault,
  writeOrder,
  writeReceiver,
} from './store.ts'
import { serveThingClasses } from './thing-classes.ts'

export { mergeClasses } from './merge-classes.ts'

type Trx = Transaction<Tables>
type By = { user: Caller; request: FastifyRequest; companyId: string }
type Done = { did: AuditAction; subject: string; subjectId?: string; changes: AuditChange[] }

/** Serves the classes of data: to administrators who define them, and for the things that carry them. */
export function serveDataClasses(server: Server, deps: ModelDeps): void {
  const { db } = deps
  serve(server, contract.listOwnClasses, {
    handle: async ({ user }) => {
      const companies = companiesOf(user)
      return { items: await findClasses(db, companies), is_restricted: await hasReceivers(db, companies) }
    },
  })
  serve(server, contract.listClasses, {
    handle: async ({ params: { companyId } }) => ({
      items: await findCompanyClasses(db, companyId),
      receivers: await listReceivers(deps, companyId),
    }),
  })
  serve(server, contract.addClass, {
    handle: async ({ user, request, params: { companyId }, body }) => {
      const name = cleanCharacters(body.name)
      const id = await change(deps, { user, request, companyId }, async (trx, known) => {
        if (known.length >= contract.MAX_CLASSES)
          throw new AppError('conflict', `A company has at most ${contract.MAX_CLASSES} classes.`)
        const added = await insertClass(trx, companyId, name)
        if (!added) throw taken()
        return { did: 'data_class.added', subject: name, subjectId: added, changes: [] }
      })
      return read(deps, companyId, id)
    },
  })
  serve(server, contract.changeClass, {
    handle: async ({ user, request, params: { companyId, classId }, body }) => {
      await change(deps, { user, request, companyId }, async (trx, known) => {
        const before = find(known, classId)
        const changes = await applyChanges(trx, known, before, body)
        return { did: 'data_class.changed', subject: before.name, subjectId: classId, changes }
      })
      return read(deps, companyId, classId)
    },
  })
  serve(server, contract.removeClass, {
    handle: async ({ user, request, params: { companyId, classId } }) => {
      await change(deps, { user, request, companyId }, async (trx) => {
        await holdClass(trx, classId)
        const { name, used, is_default } = find(await findCompanyClasses(trx, companyId), classId)
        if (is_default)
          throw new AppError('conflict', 'New documents get this class. Choose another one for them first.')
        if (used > 0)
          throw new AppError(
            'conflict',
            `The class “${name}” is in use. Give what carries it another class first.`,
          )
        await deleteClass(trx, classId)
        return { did: 'data_class.removed', subject: name, subjectId: classId, changes: [] }
      })
    },
  })
  serve(server, contract.setReceiver, {
    handle: async ({ user, request, params: { companyId, receiver }, body: { classes } }) => {
      const known = (await listReceivers(deps, companyId)).find(({ id }) => id === receiver)
      if (!known) throw new AppError('not_found', 'There is no such provider.')
      await change(deps, { user, request, companyId }, async (trx, all) => {
        for (const id of classes ?? []) find(all, id)
        const name = (ids: readonly string[] | null) =>
          ids === null ? '*' : all.flatMap((one) => (ids.includes(one.id) ? [one.name] : [])).join(', ')
        await writeReceiver(trx, { companyId, receiver }, classes)
        const changes = changed('classes', name(known.classes), name(classes))
        return { did: 'data_class.receiver_changed', subject: known.name, changes }
      })
      return { ...known, classes }
    },
  })
  serve(server, listRefusedProviders, {
    handle: async ({ user, params: { sessionId }, query: { limit } }) => {
      const { active_leaf } = await findAllowed(db, user, 'read session', sessionId)
      const names = new Map((await deps.models.connections()).map(({ provider, name }) => [provider, name]))
      const refused = await explainRefusals(
        db,
        { sessionId, leafId: active_leaf, reader: user, language: user.language, limit },
        names,
      )
      return { items: refused.map(({ receiver, reason }) => ({ provider: receiver, reason })) }
    },
  })
  serveThingClasses(server, deps)
}

/** Returns the connections of the installation, web search and tools, with what the company lets them receive. */
async function listReceivers(
  { db, models }: ModelDeps,
  companyId: string,
): Promise<contract.ClassReceiver[]> {
  const [connections, restricted] = await Promise.all([models.connections(), findReceivers(db, companyId)])
  const all = [
    ...connections.map(({ provider, name }) => ({ id: provider, name, kind: 'models' as const })),
    { id: WEB, name: 'Web search', kind: 'web' as const },
    { id: TOOLS, name: 'Own tools and MCP servers', kind: 'tools' as const },
  ]
  return all.map((one) => ({ ...one, classes: restricted.get(one.id) ?? null }))
}

/** Returns the changes for the audit log. @throws AppError `conflict` for a name that is taken */
async function applyChanges(
  trx: Trx,
  known: readonly contract.CompanyClass[],
  before: contract.CompanyClass,
  {
    name,
    position,
    is_default,
  }: { name?: string | undefined; position?: number | undefined; is_default?: true | undefined },
): Promise<AuditChange[]> {
  const renamed = name === undefined ? before.name : cleanCharacters(name)
  if (renamed !== before.name && !(await renameClass(trx, before, renamed))) throw taken()
  if (is_default && !before.is_default) await writeDefault(trx, before)
  const at = known.indexOf(before)
  const to = Math.min(position ?? at, known.length - 1)
  if (position !== undefined) {
    const others = known.filter((one) => one !== before)
    await writeOrder(
      trx,
      others.toSpliced(to, 0, before).map(({ id }) => id),
    )
  }
  return [
    ...changed('name', before.name, renamed),
    ...changed('position', String(at + 1), String(to + 1)),
    ...(is_default && !before.is_default ? changed('default', null, renamed) : []),
  ]
}

/** Changes the classes of a company, one change at a time. Returns the id of the changed one. */
async function change(
  { db, clock }: ModelDeps,
  { user, request, companyId }: By,
  act: (trx: Trx, known: contract.CompanyClass[]) => Promise<Done>,
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    if ((await lockCompanyOfClasses(trx, companyId)) === undefined)
      throw new AppError('not_found', 'Company not found')
    const { subjectId = null, ...done } = await act(trx, await findCompanyClasses(trx, companyId))
    await writeAudit(trx, clock.now(), { ...done, subjectId, actor: actorOf(user, request), companyId })
    return subjectId ?? ''
  })
}

async function read({ db }: ModelDeps, companyId: string, id: string): Promise<contract.CompanyClass> {
  return find(await findCompanyClasses(db, companyId), id)
}

function find(known: readonly contract.CompanyClass[], id: string): contract.CompanyClass {
  const found = known.find((one) => one.id === id)
  if (!found) throw new AppError('not_found', 'This class is not in the list of the company.')
  return found
}

const taken = () => new AppError('conflict', 'The company has a class of this name already.')
