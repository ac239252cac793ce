import * as z from 'zod/mini'
import { trimmed } from '#shared/platform/primitives.ts'
import { ViewedPage } from '#shared/tools/tools/page-port.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const viewPage = tool({
  id: 'view_page',
  name: 'View page',
  icon: 'scan-eye',
  description:
    "Shows you one page of one of the chat's documents as a picture: a scanned page, a drawing, a form, a chart or a table. Use it when the text of a page is missing or is not enough.",
  input: z.object({
    /** Name or id of the document. */
    document: trimmed(1, 300),
    /** Page number, from 1. */
    page: z.int().check(z.gte(1), z.lte(100_000)),
  }),
  output: ViewedPage,
  examples: [
    {
      ...{ type: 'page_reference', document_id: '00000000-0000-4000-8000-000000000001' },
      ...{ document_name: 'lease.pdf', page: 3, pages: 12 },
    },
  ],
  repeatable: true,
  takes: 'nothing',
  limitSeconds: 60,
  shows: 'page',
})

export default viewPage
