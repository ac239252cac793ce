import {
  listProjectSchedules,
  MAX_PROJECT_SCHEDULES,
} from '#shared/chat/project-lifecycle/project-schedules.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { sayRule } from '../schedules/schedules.ts'
import { findProjectSchedules } from './schedule-store.ts'

/** Serves the schedules of a project to the page of the project. */
export function serveProjectSchedules(server: Server, { db }: Platform): void {
  serve(server, listProjectSchedules, {
    handle: async ({ params: { workspaceId }, user }) => {
      const { rows, others } = await findProjectSchedules(db, user, workspaceId, MAX_PROJECT_SCHEDULES)
      const items = rows.map(({ rule, time_zone, next_at, ...row }) => ({
        ...row,
        sentence: sayRule({ rule, time_zone }, user.language),
        next_at: next_at?.toISOString() ?? null,
      }))
      return { items, others }
    },
  })
}
