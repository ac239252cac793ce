import * as z from 'zod'
import type { Platform } from '../../platform/platform.ts'

/** A standalone run that begins, or goes on after it waited: its session, and the last id it has sent. */
const Announcement = z.object({ from: z.string(), session: z.string(), run: z.string(), after: z.int() })
export type Announcement = z.infer<typeof Announcement>

/** Tells the readers of a session, in any process, of a standalone run to follow. */
export type Announcements = {
  tell: (announcement: Omit<Announcement, 'from'>) => Promise<void>
  /** Listens from now on; the answer ends it. */
  join: (listener: (announcement: Announcement) => void) => () => void
  /** Passes on what other processes announce. */
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
