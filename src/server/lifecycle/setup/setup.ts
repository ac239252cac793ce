import { setTimeout as after } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import * as contract from '#shared/lifecycle/setup/setup.ts'
import { actorOf } from '../../identity/audit/audit.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { type EventStream, openEventStream } from '../../platform/http/streaming/event-stream.ts'
import { greet } from './greet-model.ts'
import { changeMailSettings, forgetMailSettings, readMailSettings, tryMail } from './mail-settings.ts'
import { noteStep, readProgress } from './setup-store.ts'

/** Serves the setup steps to super admins. Each step is checked when taken and can be postponed. */
export function serveSetup(server: Server, deps: ModelDeps): void {
  const { db, clock } = deps
  serve(server, contract.getSetup, { handle: () => readProgress(db) })
  serve(server, contract.decideStep, {
    handle: async ({ params: { step }, body: { outcome } }) => {
      await noteStep(db, step, outcome, clock.now())
      return readProgress(db)
    },
  })
  serve(server, contract.greetModel, { handle: ({ user, body }) => greet(deps, user, body.model) })
  serve(server, contract.getAddressSeen, {
    handle: async ({ request }) => seeAddress(request, deps.config.publicUrl),
  })
  serve(server, contract.streamBeats, {
    handle: async ({ request, reply }) => void beat(openEventStream(request, reply)),
  })
  serve(server, contract.getMailSettings, { handle: () => readMailSettings(deps) })
  serve(server, contract.testMail, {
    handle: ({ user, body }) => tryMail(deps, user, body.settings ?? null),
  })
  serve(server, contract.setMailSettings, {
    handle: ({ user, body, request }) => changeMailSettings(deps, actorOf(user, request), body),
  })
  serve(server, contract.removeMailSettings, {
    handle: async ({ user, request }) => {
      await forgetMailSettings(deps, actorOf(user, request))
      return { message: 'Mail stays in the outbox folder now.' }
    },
  })
}

function seeAddress(request: FastifyRequest, publicUrl: string | null): contract.AddressSeen {
  const { headers, ips = [], socket, protocol, host } = request
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  // A declared proxy's own address precedes the addresses it forwards.
  const proxy = ips.length > 1 ? 'named' : isForwarded ? 'unnamed' : 'none'
  return {
    ...{ public_url: publicUrl, seen: `${protocol}://${host}`, proxy },
    proxy_address: proxy === 'unnamed' ? (socket.remoteAddress ?? null) : null,
  }
}

async function beat(stream: EventStream): Promise<void> {
  for (let n = 0; n < contract.BEATS && !stream.closed.aborted; n++) {
    stream.write(`event: beat\ndata: {"n":${n}}\n\n`)
    await after(contract.BEAT_MS, undefined, { signal: stream.closed }).catch(() => undefined)
  }
  stream.close()
}
