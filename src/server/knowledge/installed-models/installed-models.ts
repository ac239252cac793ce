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
import { changeFallback, fallbackIds } from '../../models/connections/connections.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { binaryPackage, ENGINE_VERSION, hasEngine, listFolders } from '../../models/models/models.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import { letGoOfModel } from '../embedding-model/embedding-model.ts'
import {
  install,
  isThere,
  mostBytes,
  placeOf,
  removeArrived,
  sayWhy,
  sumsOf,
  tryModel,
  waitingPlace,
} from './install.ts'
import { createMachine } from './machine.ts'
import { assertModelAddress } from './model-source.ts'
import { offerChats } from './offered-chats.ts'
import { receiveModel } from './receive-model.ts'
import { idOf, showModel, showModels } from './show-models.ts'
import { beginInstalling, findRow, forget, type Named, noteTrial } from './store.ts'
import { describeWaiting, listWaiting } from './waiting.ts'

const JOB = 'install-model'
const Payload = z.object({ kind: contract.ModelKind, name: z.string() })
/** Unique per installation, so that canceling one does not cancel the next one of the same name. */
const jobKey = ({ kind, name, changed_at }: Named & { changed_at: Date }) =>
  `install ${kind} ${name} ${changed_at.getTime()}`
/** Timeout of a test: a busy machine loads a large model and processes a few texts. */
const TRIAL_MS = 120_000

/** Serves the routes by which super admins install, test and remove models. */
export function serveInstalledModels(server: Server, deps: ModelDeps): void {
  const { db, jobs, clock } = deps
  const machine = createMachine()
  // A download takes minutes, so it has its own place and does not delay the reading of documents.
  jobs.register(JOB, (payload, signal) => install(deps, Payload.parse(payload), signal), { places: 1 })

  serve(server, contract.listInstalledModels, {
    handle: async () => ({
      models: await showModels(deps),
      waiting: await listWaiting(waitingPlace(deps), mostOf(deps)),
      ...{ waiting_place: waitingPlace(deps), most_bytes: mostBytes(deps, 'embedding') },
      most_chat_bytes: mostBytes(deps, 'chat'),
      engine: await showEngine(deps),
      offers: offerChats(deps.config.ATRIUM_MODEL_HUB, await machine.bytesPerSecond()),
    }),
  })

  serve(server, contract.installModel, {
    handle: async ({ body: { kind, name, source: wished, sums: stated }, user, request }) => {
      const from = 'suggested' in wished ? fromHub(kind, wished) : { ...wished, sums: stated }
      const source = from
      if ('folder' in source && !(await listFolders(waitingPlace(deps))).includes(source.folder))
        throw new AppError('not_found', `There is no folder ${source.folder} in ${waitingPlace(deps)}.`)
      await sumsOf(deps, kind, from)
      if ('address' in source) await assertModelAddress(deps.config, source.address)
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

  serve(server, contract.uploadModel, {
    handle: async ({ params: { modelName: name }, user, request }) => {
      await receiveModel(deps, name, request)
      await auditBy(deps, { user, request })(db, { did: 'model.uploaded', subject: name })
      return describeWaiting(waitingPlace(deps), name, mostOf(deps))
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
        const found = await tryModel(deps, kind, placeOf(deps, kind), name, AbortSignal.timeout(TRIAL_MS))
        const trial = { ...found, tried_at: now.toISOString() }
        await noteTrial(db, { kind, name }, { problem: null, trial }, now)
      } catch (error) {
        await noteTrial(db, { kind, name }, { problem: sayWhy(deps, error), trial: null }, now)
      }
      return showModel(deps, { kind, name })
    },
  })

  serve(server, contract.changeInstalledModel, {
    handle: async ({ params: { kind, modelName: name }, body: { fallback }, user, request }) => {
      if (kind !== 'chat') throw new AppError('invalid', 'fallback: only chat models have one.')
      const before = await showModel(deps, { kind, name })
      // Read before: within the transaction it would wait for a second connection to the database.
      const ids = await fallbackIds(deps.models)
      await db.transaction().execute(async (trx) => {
        await changeFallback(trx, ids, idOf(kind, name), fallback)
        const changes = changed('fallback', before.fallback, fallback)
        await auditBy(deps, { user, request })(trx, { did: 'connection.changed', subject: name, changes })
      })
      deps.models.refresh()
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
      await removeArrived(deps, named)
      if (isInstalled) await rm(join(placeOf(deps, kind), name), { recursive: true, force: true })
      return { message: `${name} was removed` }
    },
  })
}

/** Returns the address and the checksums of a suggested model. @throws AppError `not_found` */
function fromHub(kind: contract.ModelKind, { suggested, hub }: { suggested: string; hub: string }) {
  const model = SUGGESTED_MODELS.find((one) => one.name === suggested && one.kind === kind)
  if (!model) throw new AppError('not_found', `There is no suggested model ${suggested}.`)
  return { address: addressOf(model, hub), sums: suggestedSums(model), suggested }
}

const mostOf = (deps: ModelDeps) => ({ chat: mostBytes(deps, 'chat'), other: mostBytes(deps, 'embedding') })

async function showEngine({ config }: Pick<ModelDeps, 'config'>) {
  const state = (await hasEngine(config.dataDir)) ? 'installed' : binaryPackage() ? 'missing' : 'unsupported'
  return { state, version: ENGINE_VERSION, memory_bytes: config.ATRIUM_LOCAL_MODEL_MB * MEGABYTE } as const
}

const missing = () => new AppError('not_found', 'There is no installed model of this name.')
