import * as contract from '#shared/knowledge/file-picks/file-picks.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import { onReturn, splitSettings } from '../connectors/connectors.ts'
import { assertPlaces } from '../documents/documents.ts'
import { type Sealed, withPick } from './open-pick.ts'
import { deleteOver, deletePick, findPick, insertPick, type PickRow } from './pick-store.ts'
import { beginVisit, endVisit } from './pick-visit.ts'
import { showWays, wayOf } from './pick-ways.ts'
import { takePicked } from './take-file.ts'

const PICK_MS = 60 * 60_000
/** Picks of one person that are stored. */
const MAX_PICKS = 10
const BROWSE_SECONDS = 30

/** Serves the picking of files of a source. The sign-in serves the pick only. */
export function serveFilePicks(server: Server, deps: RunDeps): void {
  const { db, config, clock } = deps
  const find = async (user: Caller, id: string): Promise<PickRow> => {
    const pick = await findPick(db, user.id, id, clock.now())
    if (!pick) throw new AppError('not_available', 'The sign-in has ended. Sign in again.')
    return pick
  }
  onReturn(server, (arrival) => endVisit(deps, arrival))
  deps.jobs.register('forget-file-picks', () => deleteOver(db, clock.now()), { cron: '37 * * * *' })
  serve(server, contract.listPickWays, { handle: async () => ({ items: showWays(config) }) })
  serve(server, contract.beginFilePick, {
    handle: async ({ user, body, request, reply }) => {
      await assertPlaces(deps, user, { chat_session_id: body.chat_session_id })
      const { way } = wayOf(config, body.way)
      const { plain: settings, secret: secrets } = splitSettings(way, body.settings)
      const { signIn } = way
      const sealed: Sealed = { access: null, until: null, secrets }
      const wish = {
        ...{ user_id: user.id, way: way.id, settings },
        sealed: signIn ? null : deps.secrets.seal(JSON.stringify(sealed)),
        until: new Date(clock.now().getTime() + PICK_MS),
      }
      if (!signIn) await withPick(deps, wish, BROWSE_SECONDS, (source) => source.check())
      const pick = await insertPick(db, wish, MAX_PICKS)
      const begun = { user, request, reply, sessionId: body.chat_session_id }
      return { ...show(pick), url: signIn ? await beginVisit(deps, pick, signIn, begun) : null }
    },
  })
  serve(server, contract.getFilePick, {
    handle: async ({ user, query }) => show(await find(user, query.pick_id)),
  })
  serve(server, contract.browseFiles, {
    handle: async ({ user, body: { pick_id, path } }) => {
      assertBelow(path)
      const none = { items: [], has_more: false }
      return withPick(
        deps,
        await find(user, pick_id),
        BROWSE_SECONDS,
        async (source) => (await source.entries?.(path)) ?? none,
      )
    },
  })
  serve(server, contract.takeFile, {
    handle: async ({ user, body: { pick_id, ...wish } }) => {
      assertBelow(wish.path)
      await assertPlaces(deps, user, { chat_session_id: wish.chat_session_id })
      return takePicked(deps, user, await find(user, pick_id), wish)
    },
  })
  serve(server, contract.endFilePick, {
    handle: ({ user, body }) => deletePick(db, user.id, body.pick_id),
  })
}

/** A path must not lead above the folder of the settings. @throws AppError `invalid` */
function assertBelow(path: string): void {
  if (path.split('/').some((part) => part === '..' || part === '.'))
    throw new AppError('invalid', 'The path is not valid.')
}

function show({ id, way, sealed, outcome, picked }: PickRow): contract.FilePick {
  return { id, way, state: sealed === null ? (outcome ?? 'waiting') : 'ready', picked }
}
