import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { mediaTypeOf } from '../../../platform/files/media-types.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { readContents } from '../library/contents.ts'
import { readDocument } from '../library/store.ts'

const LOOK_EVERY_MS = 500
const PATIENCE_MS = 120_000

/** Waits until a recording is read and returns its transcript. @throws AppError `invalid` for other documents, `conflict` after the timeout */
export async function transcriptOf(deps: RunDeps, id: string, { raw }: FastifyRequest): Promise<string> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const row = await readDocument(deps.db, id)
    if (!row) throw new AppError('not_found', 'Document not found')
    if (!/^(audio|video)\//.test(mediaTypeOf(row.format ?? row.extension)))
      throw new AppError('invalid', 'This document is not a recording.')
    if (row.status === 'failed') throw new AppError('conflict', 'The recording could not be transcribed.')
    if (row.files.includes('text.md')) return (await readContents(deps, row)).text_markdown_content ?? ''
    if (Date.now() > until || raw.destroyed)
      throw new AppError('conflict', 'The recording is still being transcribed. Ask again in a moment.')
    await sleep(LOOK_EVERY_MS)
  }
}
