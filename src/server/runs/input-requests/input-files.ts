import { randomUUID } from 'node:crypto'
import { pipeline, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import * as contract from '#shared/runs/input-requests/input-requests.ts'
import type { InputFile } from '#shared/runs/runs/request.ts'
import { readWhole, transcribe } from '../../models/models/transcribe.ts'
import { assertStorage, takeStorage } from '../../money/storage/storage.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { refuseHalf } from '../../platform/http/refuse-half.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { RunDeps } from '../run-deps.ts'
import { assertRoom, insertFile, removeUnused } from './file-store.ts'
import { sniffMediaType } from './media-type.ts'

/** Serves the files given as answers. Only their owner can read them. */
export function serveInputFiles(server: Server, deps: RunDeps): void {
  serve(server, contract.uploadInputFile, {
    handle: ({ user, request }) => storeFile(deps, user.id, request),
  })
  serve(server, contract.readInputFile, {
    handle: async ({ params, user, reply }) => {
      await sendFile(deps, await findAllowed(deps.db, user, 'read file', params.fileId), reply)
      // The file itself is the response.
      return undefined as never
    },
  })
  serve(server, contract.transcribeInputFile, {
    handle: async ({ params, user }) => {
      const { file_key, name, media_type } = await findAllowed(deps.db, user, 'read file', params.fileId)
      if (!/^(audio|video)\//.test(media_type)) throw new AppError('invalid', 'This file is no recording.')
      const bytes = await readWhole(await deps.files.read(file_key))
      return { text: await transcribe(deps, { name, media_type, bytes }) }
    },
  })
  deps.jobs.register('remove-unused-input-files', () => removeUnused(deps), { cron: '23 * * * *' })
}

async function storeFile(deps: RunDeps, userId: string, request: FastifyRequest): Promise<InputFile> {
  // Checked before the file is requested: from then on data arrives, and an unread stream loses its end.
  await assertRoom(deps.db, userId)
  await assertStorage(deps, userId)
  const part = request.isMultipart() ? await request.file({ limits }).catch(refuseHalf) : undefined
  if (!part) throw new AppError('malformed', 'Send one file as multipart form data.')
  const id = randomUUID()
  const file_key = `input/${userId}/${id}`
  let head = Buffer.alloc(0)
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (head.length < 32) head = Buffer.concat([head, chunk.subarray(0, 32)])
      done(null, chunk)
    },
  })
  // The write reports errors of the pipeline.
  pipeline(part.file, look, () => undefined)
  const stored = await deps.files
    .write(file_key, look, { maxBytes: contract.MAX_INPUT_FILE })
    .catch((error) => (part.file.errored ? refuseHalf(error) : Promise.reject(error)))
  if (stored.size === 0) {
    await deps.files.remove(file_key)
    throw new AppError('invalid', 'The file is empty.')
  }
  const media_type = sniffMediaType(head, part.mimetype)
  const name = cleanLabel(part.filename.replace(/^.*[/\\]/, '')).slice(0, 200) || 'file'
  const { size } = stored
  try {
    await deps.db.transaction().execute(async (trx) => {
      await takeStorage({ ...deps, db: trx }, userId, size)
      await insertFile(trx, { id, user_id: userId, file_key, name, media_type, size })
    })
  } catch (error) {
    // After any other error the row may be stored nevertheless; stray files are swept later.
    if (error instanceof AppError) await deps.files.remove(file_key)
    throw error
  }
  return { id, name, media_type, size }
}

/** One byte above the limit, so that the store detects and reports the excess. */
const limits = { fileSize: contract.MAX_INPUT_FILE + 1, files: 1, fields: 10 }

type Row = Selectable<Tables['input_files']>

/** Sends a file with headers that prevent any active content from running. */
async function sendFile({ files }: RunDeps, file: Row, reply: FastifyReply): Promise<void> {
  const isMedia = /^(image|audio|video)\//.test(file.media_type)
  const name = encodeURIComponent(file.name)
  await reply
    .header('content-type', file.media_type)
    .header('content-length', file.size)
    .header('content-disposition', `${isMedia ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .send(await files.read(file.file_key))
}
