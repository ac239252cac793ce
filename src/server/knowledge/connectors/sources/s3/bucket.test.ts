import { expect, it } from 'vitest'
import { bucketOf, signGet } from './bucket.ts'

const addressOf = async (settings: Record<string, string>, key = 'a b/c.txt') =>
  (await signGet(bucketOf({ settings } as never), key)).url

it('puts the bucket into the host of AWS, and into the path elsewhere', async () => {
  expect(await addressOf({ bucket: 'files', region: 'eu-west-3' })).toBe(
    'https://files.s3.eu-west-3.amazonaws.com/a%20b/c.txt',
  )
  expect(await addressOf({ bucket: 'my.files' })).toBe(
    'https://s3.us-east-1.amazonaws.com/my.files/a%20b/c.txt',
  )
  expect(await addressOf({ bucket: 'files', address: 'https://minio.example:9000/s3' })).toBe(
    'https://minio.example:9000/s3/files/a%20b/c.txt',
  )
  expect(await addressOf({ bucket: 'files', address: 'https://files.oss.example' })).toBe(
    'https://files.oss.example/a%20b/c.txt',
  )
})

it('keeps empty folders and special characters of a key', async () => {
  expect(await addressOf({ bucket: 'files', address: 'https://minio.example' }, '/a//b+c?#%.txt')).toBe(
    'https://minio.example/files//a//b%2Bc%3F%23%25.txt',
  )
})
