import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'

/** Returns an address for a media player, which cannot send headers. It is valid for the sign-in that created it. */
export const openPlayback = route({
  method: 'POST',
  path: '/documents/:documentId/playback',
  access: 'user',
  may: 'read document',
  summary: 'A ticket that a player reads a recording with (`GET /playback/{ticket}`), for twelve hours',
  status: 201,
  params: z.object({ documentId: Id }),
  body: z.object({ version: z.int().check(z.gte(1), z.lte(1e6)) }),
  answer: z.object({ ticket: z.string(), media_type: z.string() }),
})

export const readPlayback = route({
  method: 'GET',
  path: '/playback/:ticket',
  access: 'public',
  fails: ['forbidden', 'unauthenticated', 'invalid'],
  sends: '*/*',
  alsoStatus: [206],
  may: null,
  summary:
    'Bytes of a recording for who has a ticket, while its sign-in lasts and may read it; ranges are answered',
  params: z.object({ ticket: text(1, 500) }),
})
