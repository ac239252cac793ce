import type { FastifyRequest } from 'fastify'
import * as contract from '#shared/models/data-classes/data-classes.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { administeredBy, companiesOf } from '../../platform/access/access.ts'
import type { Source } from '../../platform/access/classes/classes.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { ModelDeps } from '../model-deps.ts'
import {
  classifies,
  findClass,
  findEffective,
  findOrigin,
  findOwnClass,
  managesProjectOf,
  readingOf,
  writeClass,
} from './thing-store.ts'

/** Serves the class of each document, project, connector and database. */
export function serveThingClasses(server: Server, deps: ModelDeps): void {
  const show = (user: Caller, source: Source) => showClass(deps, user, source)
  const write = async (
    call: { user: Caller; request: FastifyRequest },
    source: Source,
    id: string | null,
  ) => {
    await changeClass(deps, call, source, id)
    return show(call.user, source)
  }
  serve(server, contract.getDocumentClass, {
    handle: ({ user, params }) => show(user, { kind: 'document', id: params.documentId }),
  })
  serve(server, contract.setDocumentClass, {
    handle: ({ params, body, ...call }) =>
      write(call, { kind: 'document', id: params.documentId }, body.class_id),
  })
  serve(server, contract.getWorkspaceClass, {
    handle: ({ user, params }) => show(user, { kind: 'project', id: params.workspaceId }),
  })
  serve(server, contract.setWorkspaceClass, {
    handle: ({ params, body, ...call }) =>
      write(call, { kind: 'project', id: params.workspaceId }, body.class_id),
  })
  serve(server, contract.getConnectorClass, {
    handle: ({ user, params }) => show(user, { kind: 'connector', id: params.connectorId }),
  })
  serve(server, contract.setConnectorClass, {
    handle: ({ params, body, ...call }) =>
      write(call, { kind: 'connector', id: params.connectorId }, body.class_id),
  })
  serve(server, contract.getDatabaseClass, {
    handle: ({ user, params }) => show(user, { kind: 'database', id: params.databaseId }),
  })
  serve(server, contract.setDatabaseClass, {
    handle: ({ params, body, ...call }) =>
      write(call, { kind: 'database', id: params.databaseId }, body.class_id),
  })
}

async function showClass(deps: ModelDeps, user: Caller, source: Source): Promise<contract.ThingClass> {
  const { db } = deps
  const class_id = await findOwnClass(db, source)
  if (class_id === undefined) throw unknownThing()
  const [effective = null] = await findEffective(db, source)
  const isInherited = effective !== null && effective.id !== class_id && source.kind === 'document'
  return {
    class_id,
    effective,
    inherited_from: isInherited ? await findOrigin(db, user, source.id, effective.id) : null,
    can_change: await mayChange(db, user, source),
    can_lower: await mayLower(db, user, source, class_id),
    words_only: source.kind === 'document' ? await refusedEmbedding(deps, source.id) : null,
  }
}

/** The owner of a document chooses its class, and so do administrators of its company who may read it. The routes of other things decide. */
const mayChange = async (db: ModelDeps['db'], user: Caller, { kind, id }: Source): Promise<boolean> =>
  kind !== 'document' || classifies(db, user, id)

/** Administrators of the company and managers of a project that they do not own choose a less strict class. Super admins do for databases. */
async function mayLower(
  db: ModelDeps['db'],
  user: Caller,
  { kind, id }: Source,
  classId: string | null,
): Promise<boolean> {
  if (kind === 'database' || kind === 'project') return true
  const before = classId === null ? undefined : await findClass(db, classId)
  if (before ? administeredBy(user).includes(before.company_id) : administeredBy(user).length > 0) return true
  return kind === 'document' && managesProjectOf(db, user, id)
}

/** Returns the model of the library when it has no vectors of the document because of its class. */
async function refusedEmbedding({ db, config }: ModelDeps, documentId: string): Promise<string | null> {
  const reading = await readingOf(db, documentId)
  return reading?.words_only ? config.ATRIUM_EMBEDDING_MODEL : null
}

/** @throws AppError `not_found`, `forbidden` */
async function changeClass(
  deps: ModelDeps,
  call: { user: Caller; request: FastifyRequest },
  source: Source,
  classId: string | null,
): Promise<void> {
  const { user } = call
  await deps.db.transaction().execute(async (trx) => {
    if (!(await mayChange(trx, user, source)))
      throw new AppError('forbidden', 'You cannot change this document.')
    const beforeId = await findOwnClass(trx, source)
    if (beforeId === undefined) throw unknownThing()
    const [before, after] = [
      beforeId && (await findClass(trx, beforeId)),
      classId && (await findClass(trx, classId)),
    ]
    if (classId !== null && !(after && companiesOf(user).includes(after.company_id)))
      throw new AppError('not_found', 'This class is not in the list of your company.')
    // Without a class of its own, a document has the default class, and other things have none.
    const [counted] = before ? [before] : source.kind === 'document' ? await findEffective(trx, source) : []
    const isLower =
      counted && !(after && after.company_id === counted.company_id && after.position >= counted.position)
    if (isLower && !(await mayLower(trx, user, source, counted.id)))
      throw new AppError(
        'forbidden',
        'Only an administrator or a manager of a project that someone else owns may choose a less strict class.',
      )
    if (beforeId === classId) return
    await writeClass(trx, source, classId)
    const changes = changed('class', before ? before.name : null, after ? after.name : null)
    const subject = `${source.kind} ${source.id}`
    await auditBy(deps, call)(trx, { did: 'data_class.chosen', subject, subjectId: source.id, changes })
  })
}

const unknownThing = () => new AppError('not_found', 'There is no such thing.')
