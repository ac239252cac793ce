import { randomUUID } from 'node:crypto'
import type { Row } from '../../src/server/platform/vectors/vectors.ts'

/** Returns a passage of the vector store, without vectors by default. */
export const aRow = (given: Partial<Row> = {}): Row => ({
  ...{ id: randomUUID(), reading_id: randomUUID(), document_id: randomUUID(), user_id: randomUUID() },
  ...{ company_id: null, shared_access: [], chunk_type: 'NarrativeText', file_name: 'a.txt' },
  ...{ file_type: 'txt', page: null, position: 0, created_at: 0, language: 'en', title: 'a.txt' },
  ...{ text: 'text', metadata: {}, vectors: {} },
  ...given,
})
