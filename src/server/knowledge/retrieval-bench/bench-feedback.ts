import * as contract from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findShown, listShown } from './feedback-store.ts'
import { assertRoom } from './limits.ts'
import { showCases } from './show-bench.ts'
import { insertCase } from './store.ts'

const QUESTION_CHARACTERS = 4_000
const EXPECTED_MOST = 50

/** Serves feedback that users share, and adds it to a set as questions. */
export function serveBenchFeedback(server: Server, deps: Platform): void {
  const { db, clock } = deps
  serve(server, contract.listBenchFeedback, {
    handle: async ({ query: { page, limit }, user }) => {
      const skip = (page - 1) * limit
      const rows = await listShown(db, user.id, { skip, limit: limit + 1, characters: QUESTION_CHARACTERS })
      const items = rows.slice(0, limit).map(({ chunk_ids, changed_at, ...row }) => ({
        ...{ ...row, passages: chunk_ids.length, at: changed_at.toISOString() },
      }))
      return { items, has_more: rows.length > limit }
    },
  })
  serve(server, contract.addBenchFeedback, {
    handle: async ({ params: { benchSetId }, body, user }) => {
      await assertRoom(db, benchSetId)
      const given = await findShown(db, user.id, body, QUESTION_CHARACTERS)
      if (!given) throw new AppError('not_found', 'This feedback was withdrawn, or is no longer shared.')
      const { message_id, user_id, question, rating, reason, chunk_ids } = given
      // The citations of an unhelpful reply are not the expected passages: an administrator has to choose those.
      const cited = rating === 'up' ? chunk_ids.slice(0, EXPECTED_MOST) : []
      const row = await insertCase(db, {
        ...{ set_id: benchSetId, user_id, message_id, question, origin: { rating, reason } },
        expected: cited.map((chunk_id) => ({ chunk_id, grade: 'answers' as const })),
        created_at: clock.now(),
      })
      const [shown] = await showCases(deps, benchSetId, [row])
      if (!shown) throw new AppError('not_found', 'This question is gone.')
      return shown
    },
  })
}
