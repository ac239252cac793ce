import { randomUUID } from 'node:crypto'
import type { Row } from '../../src/server/platform/vectors/vectors.ts'

/** A passage of the vector store, without vectors unless they are given. */
export const aRow = (given: Partial<Row> = {}): Row => ({
  ...{ id: randomUUID(), reading_id: randomUUID(), document_id: randomUUID(), user_id: randomUUID() },
  ...{ company_id: null, shared_access: [], chunk_type: 'NarrativeText', file_name: 'a.txt' },
  ...{ file_type: 'txt', page: null, position: 0, created_at: 0, language: 'en', title: 'a.txt' },
  ...{ text: 'text', metadata: {}, vectors: {} },
  ...given,
})
