import { streamUserEvents, USER_STREAM_INIT } from '#shared/api/user-events/user-events.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { formatWire } from '../../runs/events/events.ts'
import { lastEventId } from '../../runs/streams/streams.ts'
import type { Deps } from '../../tools/deps.ts'
import { createFeeds } from './feeds.ts'
import { findPlace, removeOldUserEvents } from './store.ts'

/** Notification channel for user events (migrations/0025_user_events.sql). */
const channel = 'atrium_user_events'

/** Serves user events: one stream of a user's changes for all tabs, on every process. */
export function serveUserEvents(server: Server, deps: Deps): void {
  const { db, clock, jobs, instance, log, streams, grants } = deps
  jobs.register('remove-old-user-events', () => removeOldUserEvents({ db, clock }), { cron: '47 * * * *' })
  if (!server.servesWeb) return
  const feeds = createFeeds({ db, log })
  instance.onRenewed(feeds.ringAll)
  grants.onChanged((userId) => feeds.say(userId, 'grants_changed'))
  instance
    .listen(channel, feeds.ring)
    .catch((error) => log.warn({ error }, 'What is told to people comes a moment later.'))
  serve(server, streamUserEvents, {
    handle: async ({ user, request, reply }) => {
      const last = lastEventId(request)
      const { newest, isKnown } = await findPlace(db, user.id, last)
      const after = isKnown && last !== null ? last : newest
      const reader = streams.readers.open(request, reply)
      const init = { last_event_id: String(after), is_resumed: isKnown }
      reader.write(formatWire(USER_STREAM_INIT, null, JSON.stringify(init)))
      feeds.join(user.id, reader, after)
    },
  })
}
