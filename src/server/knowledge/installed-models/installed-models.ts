import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import * as contract from '#shared/knowledge/installed-models/installed-models.ts'
import {
  addressOf,
  SUGGESTED_MODELS,
  sumsOf as suggestedSums,
} from '#shared/knowledge/installed-models/suggested-models.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { listFolders, tryFolder } from '../../models/models/models.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { letGoOfModel } from '../embedding-model/embedding-model.ts'
import { install, isThere, mostBytes, placeOf, sayWhy, sumsOf, waitingPlace } from './install.ts'
import { showModel, showModels } from './show-models.ts'
import { beginInstalling, findRow, forget, type Named, noteTrial } from './store.ts'
import { listWaiting } from './waiting.ts'

const JOB = 'install-model'
const Payload = z.object({ kind: contract.ModelKind, name: z.string() })
/** Another one each time: what stops an installation must not stop the next of its name. */
const jobKey = ({ kind, name, changed_at }: Named & { changed_at: Date }) =>
  `install ${kind} ${name} ${changed_at.getTime()}`
/** Loading a large model on a machine that is busy, and a handful of texts. */
const TRIAL_MS = 120_000

/** How super admins have models of their own installed, tried and removed. */
export function serveInstalledModels(server: Server, deps: ModelDeps): void {
  const { db, jobs, clock } = deps
  // Hundreds of megabytes take minutes: documents are read meanwhile.
  jobs.register(JOB, (payload, signal) => install(deps, Payload.parse(payload), signal), { places: 1 })

  serve(server, contract.listInstalledModels, {
    handle: async () => ({
      models: await showModels(deps),
      waiting: await listWaiting(waitingPlace(deps), mostBytes(deps)),
      ...{ waiting_place: waitingPlace(deps), most_bytes: mostBytes(deps) },
    }),
  })

  serve(server, contract.installModel, {
    handle: async ({ body: { kind, name, source: wished, sums: stated }, user, request }) => {
      const from = 'suggested' in wished ? fromHub(kind, wished) : { ...wished, sums: stated }
      const source = from
      if ('folder' in source && !(await listFolders(waitingPlace(deps))).includes(source.folder))
        throw new AppError('not_found', `There is no folder ${source.folder} in ${waitingPlace(deps)}.`)
      if ('address' in source && !/^https?:\/\//i.test(source.address))
        throw new AppError('invalid', 'Give an address that begins with https://.')
      await sumsOf(deps, from)
      const taken = () => new AppError('conflict', `There is a model called ${name}: choose another name.`)
      if (await isThere(join(placeOf(deps, kind), name))) throw taken()
      const changed_at = clock.now()
      await db.transaction().execute(async (trx) => {
        if (!(await beginInstalling(trx, { kind, name }, from, changed_at))) throw taken()
        const place = 'folder' in source ? source.folder : source.address
        const changes = changed('source', null, place.slice(0, 500))
        await auditBy(deps, { user, request })(trx, { did: 'model.installed', subject: name, changes })
      })
      await jobs.add(JOB, { kind, name }, { key: jobKey({ kind, name, changed_at }), maxAttempts: 3 })
      return showModel(deps, { kind, name })
    },
  })

  serve(server, contract.tryInstalledModel, {
    handle: async ({ params: { kind, modelName: name } }) => {
      if (!(await listFolders(placeOf(deps, kind))).includes(name)) {
        if (!(await findRow(db, { kind, name }))) throw missing()
        throw new AppError('conflict', `${name} is not installed: it can be tried once it is.`)
      }
      const now = clock.now()
      try {
        const found = await tryFolder(kind, placeOf(deps, kind), name, AbortSignal.timeout(TRIAL_MS))
        const trial = { ...found, tried_at: now.toISOString() }
        await noteTrial(db, { kind, name }, { problem: null, trial }, now)
      } catch (error) {
        await noteTrial(db, { kind, name }, { problem: sayWhy(deps, error), trial: null }, now)
      }
      return showModel(deps, { kind, name })
    },
  })

  serve(server, contract.removeInstalledModel, {
    handle: async ({ params: { kind, modelName: name }, user, request }) => {
      const named = { kind, name }
      const isInstalled = (await listFolders(placeOf(deps, kind))).includes(name)
      const row = await findRow(db, named)
      if (!isInstalled && !row) throw missing()
      if (isInstalled && kind === 'embedding') await letGoOfModel(deps, `installed/${name}`)
      await db.transaction().execute(async (trx) => {
        await forget(trx, named)
        await auditBy(deps, { user, request })(trx, { did: 'model.removed', subject: name })
      })
      if (row?.state === 'installing') await jobs.cancel(jobKey(row))
      if (isInstalled) await rm(join(placeOf(deps, kind), name), { recursive: true, force: true })
      return { message: `${name} was removed` }
    },
  })
}

/** The place and the sums of a suggested model. @throws AppError `not_found` */
function fromHub(kind: contract.ModelKind, { suggested, hub }: { suggested: string; hub: string }) {
  const model = SUGGESTED_MODELS.find((one) => one.name === suggested && one.kind === kind)
  if (!model) throw new AppError('not_found', `There is no suggested model ${suggested}.`)
  return { address: addressOf(model, hub), sums: suggestedSums(model), suggested }
}

const missing = () => new AppError('not_found', 'There is no installed model of this name.')
