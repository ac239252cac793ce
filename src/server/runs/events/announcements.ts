import * as z from 'zod'
import type { Platform } from '../../platform/platform.ts'

/** A standalone run that starts or resumes: its session, and the last event id it has sent. */
const Announcement = z.object({ from: z.string(), session: z.string(), run: z.string(), after: z.int() })
export type Announcement = z.infer<typeof Announcement>

/** Announces standalone runs to the readers of their session, in every process. */
export type Announcements = {
  tell: (announcement: Omit<Announcement, 'from'>) => Promise<void>
  /** Subscribes a listener. Returns the function that unsubscribes it. */
  join: (listener: (announcement: Announcement) => void) => () => void
  /** Subscribes to announcements of other processes and forwards them to local listeners. */
  hear: () => Promise<void>
}

const channel = 'atrium_standalone'

export function createAnnouncements({ instance }: Pick<Platform, 'instance'>): Announcements {
  const listeners = new Set<(announcement: Announcement) => void>()
  const pass = (announcement: Announcement) => {
    for (const listener of listeners) listener(announcement)
  }
  return {
    tell: async (given) => {
      const announcement = { from: instance.id, ...given }
      pass(announcement)
      await instance.notify(channel, JSON.stringify(announcement))
    },
    join: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hear: () =>
      instance.listen(channel, (payload) => {
        const { data: announcement } = Announcement.safeParse(JSON.parse(payload))
        if (announcement && announcement.from !== instance.id) pass(announcement)
      }),
  }
}
