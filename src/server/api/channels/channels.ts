import * as contract from '#shared/api/channels/channels.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { workOnChannel } from './answering/work-on-channel.ts'
import { listBusy } from './channel-store.ts'
import { serveConnecting } from './connecting.ts'
import { audienceOf } from './people/audience.ts'
import { removeOldEvents } from './receiving/event-store.ts'
import { receiveEvent, receivePress } from './receiving/receive-slack.ts'
import { receiveActivity } from './receiving/receive-teams.ts'
import { requestWork, WORK } from './request-work.ts'
import { createVerifyToken } from './teams/verify-token.ts'

/** Connections whose work a process does at the same time. */
const MAX_CONCURRENT_CHANNELS = 4

/** Lets assistants answer in Slack and Teams: serves what administrators connect and what the service sends, and answers it. */
export function serveChannels(server: Server, deps: Deps): void {
  const { db, jobs } = deps
  deps.audiences.answerWith((sessionId) => audienceOf(deps, sessionId))
  jobs.register(WORK, ({ channelId }, signal) => workOnChannel(deps, String(channelId), signal), {
    places: MAX_CONCURRENT_CHANNELS,
  })
  jobs.register(
    'channels.due',
    async () => {
      for (const id of await listBusy(db)) await requestWork(deps, id)
    },
    { cron: '* * * * *' },
  )
  jobs.register('channels.cleanup', () => removeOldEvents(db), { cron: '53 * * * *' })
  serveConnecting(server, deps)
  serve(server, contract.receiveSlackEvent, {
    handle: ({ params: { slackChannelId }, request, body }) =>
      receiveEvent(deps, slackChannelId, request, body),
  })
  const verify = createVerifyToken(deps.outbound)
  serve(server, contract.receiveTeamsActivity, {
    handle: async ({ params: { teamsChannelId }, request, body }) => {
      await receiveActivity(deps, verify, teamsChannelId, request, body)
      return {}
    },
  })
  serve(server, contract.receiveSlackAction, {
    handle: async ({ params: { slackChannelId }, request, body }) => {
      await receivePress(deps, slackChannelId, request, body.payload)
      return {}
    },
  })
}
