import { PassThrough, type Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../config/config.ts'
import type { FileStore } from './file-port.ts'
import { checkKey } from './key.ts'
import { measure } from './measure.ts'

type Settings = Pick<
  Config,
  'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'
>

/** Stores files in an S3-compatible store. A file appears under its key only once it is fully sent. The client loads at first use. */
export function createS3Files(settings: Settings): FileStore {
  const Bucket = settings.S3_BUCKET ?? ''
  let opened: Promise<S3Client> | null = null
  const client = () => {
    opened ??= open(settings)
    return opened
  }
  return {
    write: async (key, content, { maxBytes = Number.POSITIVE_INFINITY } = {}) => {
      const { Upload } = await import('@aws-sdk/lib-storage')
      const measured = measure(maxBytes)
      const Body = new PassThrough()
      const upload = new Upload({ client: await client(), params: { Bucket, Key: checkKey(key), Body } })
      const fail = (error: Error) => {
        Body.destroy(error)
        void upload.abort()
      }
      let failure: Error | null = null
      for (const stream of [content, measured.stream]) {
        stream.once('error', (error) => {
          failure = error
          fail(error)
        })
      }
      content.pipe(measured.stream).pipe(Body)
      await upload.done().catch((error) => {
        // The rest of the content is not needed.
        content.destroy()
        throw failure ?? unusable(error)
      })
      return { key, ...measured.result() }
    },
    read: async (key, range) => {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3')
      const Range = range && `bytes=${range.start}-${range.end}`
      const found = await (await client())
        .send(new GetObjectCommand({ Bucket, Key: checkKey(key), Range }))
        .catch(notFound)
      return found.Body as Readable
    },
    size: async (key) => {
      const { HeadObjectCommand } = await import('@aws-sdk/client-s3')
      const found = await (await client())
        .send(new HeadObjectCommand({ Bucket, Key: checkKey(key) }))
        .catch((error) => {
          if (isMissing(error)) return null
          throw unusable(error)
        })
      return found?.ContentLength ?? null
    },
    remove: async (key) => {
      const { DeleteObjectCommand } = await import('@aws-sdk/client-s3')
      const command = new DeleteObjectCommand({ Bucket, Key: checkKey(key) })
      await (await client()).send(command).catch((error) => {
        throw unusable(error)
      })
    },
    list: async function* () {
      const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3')
      try {
        for await (const page of paginateListObjectsV2({ client: await client() }, { Bucket }))
          for (const { Key } of page.Contents ?? []) if (Key) yield Key
      } catch (error) {
        throw unusable(error)
      }
    },
    // A bucket rule removes the parts of aborted uploads.
    clearUnfinished: async () => undefined,
  }
}

async function open({
  S3_ENDPOINT,
  S3_REGION,
  S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY,
}: Settings): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3')
  const credentials =
    S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
      ? { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
      : undefined
  // Self-hosted stores rarely have a host name per bucket, and few support the newer checksums.
  return new S3Client({
    region: S3_REGION,
    endpoint: S3_ENDPOINT,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && /NoSuchKey|NotFound/.test(error.name)
}

function notFound(error: unknown): never {
  throw isMissing(error) ? new AppError('not_found', 'The file is gone.') : unusable(error)
}

/** Names the store in the error; otherwise a dropped connection would be mistaken for the database. */
function unusable(cause: unknown): AppError {
  const detail = 'The file store cannot be used right now. Try again in a moment.'
  return new AppError('unavailable', detail, { retryAfterSeconds: 5, cause })
}
