import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { CHAT_FILE } from '../../models/models/models.ts'
import { refuseHalf } from '../../platform/http/refuse-half.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { isThere, mostBytes, waitingPlace } from './install.ts'

/**
 * Stores an uploaded GGUF file with its checksum in a new folder of `waiting`.
 * @throws AppError `malformed`, `too_large`, `invalid`, `conflict` if the folder exists, `quota_exceeded` if the disk is full
 */
export async function receiveModel(
  deps: Pick<Platform, 'config'>,
  name: string,
  request: FastifyRequest,
): Promise<void> {
  const place = join(waitingPlace(deps), name)
  if (await isThere(place))
    throw new AppError('conflict', `A folder called ${name} already exists: choose another name.`)
  const maxBytes = mostBytes(deps, 'chat')
  const limits = { fileSize: maxBytes, files: 1, fields: 10 }
  const part = request.isMultipart()
    ? await request.file({ limits, throwFileSizeLimit: false }).catch(refuseHalf)
    : undefined
  if (!part) throw new AppError('malformed', 'Send one file as multipart form data.')
  const arriving = join(deps.config.modelsDir, 'arriving', 'upload', name)
  await rm(arriving, { recursive: true, force: true })
  await mkdir(arriving, { recursive: true })
  try {
    await assertRoom(deps, arriving, Number(request.headers['content-length'] ?? 0))
    const hash = createHash('sha256')
    const file = join(arriving, CHAT_FILE)
    await pipeline(part.file, readHead(hash), createWriteStream(file)).catch(refuseHalf)
    if (part.file.truncated)
      throw new AppError('too_large', `A model file may have at most ${Math.floor(maxBytes / MEGABYTE)} MB.`)
    await writeFile(join(arriving, 'SHA256SUMS'), `${hash.digest('hex')}  ${CHAT_FILE}\n`)
    await mkdir(dirname(place), { recursive: true })
    await rename(arriving, place)
  } finally {
    await rm(arriving, { recursive: true, force: true })
  }
}

const SIGNATURE = Buffer.from('GGUF')

/** Computes the checksum of the stream, and rejects a file without the GGUF signature. */
function readHead(hash: ReturnType<typeof createHash>): Transform {
  let head = Buffer.alloc(0)
  const notGguf = () => new AppError('invalid', 'Choose a file in the format GGUF.')
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk)
      const missing = SIGNATURE.length - head.length
      if (missing > 0) head = Buffer.concat([head, chunk.subarray(0, missing)])
      if (!SIGNATURE.subarray(0, head.length).equals(head)) return done(notGguf())
      done(null, chunk)
    },
    flush: (done) => done(head.length < SIGNATURE.length ? notGguf() : null),
  })
}

async function assertRoom(
  { config }: Pick<Platform, 'config'>,
  folder: string,
  bytes: number,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize - bytes < config.ATRIUM_MIN_FREE_MB * MEGABYTE)
    throw new AppError('quota_exceeded', 'The disk of the server has no room for this file.')
}
