import { join } from 'node:path'
import type { Config } from '../config/config.ts'

type Settings = Pick<
  Config,
  | 'dataDir'
  | 'ATRIUM_VECTORS_URL'
  | 'S3_BUCKET'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
>

/** Returns the configured location of the vectors. The default is next to the files, in their bucket or the data folder. */
export function vectorLocation(config: Settings): { location: string; storage?: Record<string, string> } {
  const beside = config.S3_BUCKET ? `s3://${config.S3_BUCKET}/vectors` : join(config.dataDir, 'vectors')
  const location = config.ATRIUM_VECTORS_URL ?? beside
  return location.startsWith('s3://') ? { location, storage: storageOf(config) } : { location }
}

function storageOf(config: Settings): Record<string, string> {
  const { S3_ENDPOINT: endpoint, S3_REGION: region } = config
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = config
  return {
    region,
    ...(endpoint && { endpoint, allowHttp: String(endpoint.startsWith('http:')) }),
    ...(id && secret && { accessKeyId: id, secretAccessKey: secret }),
  }
}
