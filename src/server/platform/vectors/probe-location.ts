import { randomUUID } from 'node:crypto'

/** The storage location could lose vectors. The message says what to do. */
export class UnsafeLocation extends Error {}

type Bucket = { location: string; storage: Record<string, string> }

/**
 * Tests whether a bucket honours conditional writes. Without them, concurrent processes silently overwrite each other's rows.
 * @throws UnsafeLocation; other problems of the bucket as their own errors
 */
export async function assertConditionalWrites({ location, storage }: Bucket): Promise<void> {
  const { S3Client, PutObjectCommand, DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  const { accessKeyId, secretAccessKey, endpoint, region } = storage
  const client = new S3Client({
    ...{ region: region ?? 'us-east-1', forcePathStyle: true, maxAttempts: 2 },
    ...(endpoint && { endpoint }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
  })
  const { hostname: Bucket, pathname } = new URL(location)
  const Key = `${pathname.slice(1)}/probe-${randomUUID()}`.replace(/^\//, '')
  const write = () => client.send(new PutObjectCommand({ Bucket, Key, Body: '', IfNoneMatch: '*' }))
  try {
    await write()
    const isRefused = await write().then(
      () => false,
      (error) => {
        if (statusOf(error) === 412 || statusOf(error) === 409) return true
        throw error
      },
    )
    await client.send(new DeleteObjectCommand({ Bucket, Key }))
    if (!isRefused) throw new UnsafeLocation(unsafe(location))
  } catch (error) {
    if (statusOf(error) === 501) throw new UnsafeLocation(unsafe(location))
    throw error
  } finally {
    client.destroy()
  }
}

const unsafe = (location: string) =>
  `${location} cannot hold the vectors: its store ignores conditional writes (If-None-Match), without which vectors are lost. Use another store, or set ATRIUM_VECTORS_URL to a folder all processes share.`

function statusOf(error: unknown): number | undefined {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
  return $metadata?.httpStatusCode
}
