import * as z from 'zod/mini'

export const DocumentStatus = z.enum(['queued', 'in_progress', 'completed', 'failed'])
export type DocumentStatus = z.infer<typeof DocumentStatus>
