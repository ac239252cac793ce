import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, label, text } from '../../platform/primitives.ts'

/** Message type that the service's window posts to the page that opened it. */
export const CONNECTION_MESSAGE = 'google-connection'
export type ConnectionMessage = {
  type: typeof CONNECTION_MESSAGE
  status: 'success' | 'error'
  detail: string
}

/** Maximum rows, columns and characters per cell of a new sheet. */
export const MAX_SHEET_ROWS = 10_000
export const MAX_SHEET_COLUMNS = 200
export const MAX_SHEET_CELL = 10_000

const Cells = z.array(text(0, MAX_SHEET_CELL)).check(atMost(MAX_SHEET_COLUMNS))

export const getGoogleStatus = route({
  method: 'GET',
  path: '/service-connections/status/google',
  access: 'user',
  summary: 'Whether the caller let this product make sheets in their Google account',
  // Available says whether this installation is set up for it.
  answer: z.object({ available: z.boolean(), connected: z.boolean() }),
})

export const exportGoogleSheet = route({
  method: 'POST',
  path: '/service-connections/export/google-sheet',
  access: 'user',
  fails: ['not_available', 'provider_failed', 'not_connected'],
  summary: 'Make a Google sheet of a table; 401 with the reason when Google has to be connected first',
  bodyLimit: 8 * 1024 * 1024,
  body: z.object({
    table_headers: Cells,
    /** Rows with one cell per header. */
    prospects: z.array(Cells).check(atMost(MAX_SHEET_ROWS)),
    sheet_title: label(1, 200),
  }),
  answer: z.object({ sheet_url: z.nullable(z.string()) }),
})

/** Opens in a browser window, which cannot send headers, so the address contains the token. */
export const connectGoogle = route({
  method: 'GET',
  path: '/service-connections/connect/google',
  access: 'public',
  alsoStatus: [200],
  summary:
    'Go to Google to let this product make sheets; ends with a message to the page that opened the window',
  status: 302,
  query: z.object({ auth_token: z.optional(text(0, 4000)) }),
})

/** OAuth redirect address to register with Google. */
export const returnFromGoogle = route({
  method: 'GET',
  path: '/service-connections/connect/google/callback',
  access: 'public',
  sends: 'text/html',
  summary: 'Return from Google',
  query: z.object({
    state: z.optional(text(0, 4000)),
    code: z.optional(text(0, 4000)),
    error: z.optional(text(0, 4000)),
  }),
})
