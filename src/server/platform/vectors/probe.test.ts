import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startApp } from '#tests/app.ts'
import { type S3Server, startS3Server } from '#tests/s3-server.ts'
import { openVectors, UnsafeLocation } from './vectors.ts'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
beforeEach(() => {
  s3.fail(null)
  s3.ignoreConditions(false)
})
afterAll(() => s3.close())

const openThere = () =>
  openVectors({
    location: 's3://house/vectors',
    storage: {
      endpoint: s3.url,
      region: 'us-east-1',
      accessKeyId: 'a',
      secretAccessKey: 'b',
      allowHttp: 'true',
    },
  })
const settings = () => ({
  ...{ S3_ENDPOINT: s3.url, S3_BUCKET: 'house', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
})

it('accepts a bucket with conditional writes and leaves nothing in it', async () => {
  await openThere().assertSafe()
  expect([...s3.objects.keys()]).toEqual([])
})

it('refuses a bucket that overwrites existing objects, before storing anything', async () => {
  s3.ignoreConditions()
  const vectors = openThere()
  await expect(vectors.assertSafe()).rejects.toThrow(UnsafeLocation)
  await expect(vectors.names()).rejects.toThrow(UnsafeLocation)
  expect([...s3.objects.keys()]).toEqual([])
})

it('refuses a bucket that does not support conditional writes', async () => {
  s3.fail(501)
  await expect(openThere().assertSafe()).rejects.toThrow(UnsafeLocation)
})

it('stops the server start with a one-sentence error', async () => {
  s3.ignoreConditions()
  await expect(startApp({ config: settings() })).rejects.toThrow(
    's3://house/vectors cannot hold the vectors: its store ignores conditional writes (If-None-Match), without which vectors are lost. Use another store, or set ATRIUM_VECTORS_URL to a folder all processes share.',
  )
})

it('starts while a bucket does not answer, and checks again before using it', {
  timeout: 60_000,
}, async () => {
  s3.fail(503)
  const app = await startApp({ config: settings() })
  try {
    s3.fail(null)
    s3.ignoreConditions()
    await expect(app.deps.vectors.names()).rejects.toThrow(UnsafeLocation)
  } finally {
    await app.close()
  }
})
