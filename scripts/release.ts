import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeReleasedModel } from '../src/server/models/models/built-in-embedding/model.ts'
import { buildOnce } from './build-once.ts'
import { prepareEnvironment } from './environment.ts'
import { listReleaseFiles } from './release/release-files.ts'
import { releaseLock, releaseManifest } from './release/release-manifest.ts'
import { writeTarball } from './release/write-tarball.ts'

/**
 * `npm run release [FOLDER]`: writes `atrium-VERSION.tgz`, by default into `dist`. Unpacked, it runs after `npm ci --omit=dev` without building
 * anything.
 */
const root = prepareEnvironment()
await buildOnce(root)
const { name, version, text } = releaseManifest(root)
const path = join(process.argv[2] ?? join(root, 'dist'), `${name}-${version}.tgz`)
const folder = mkdtempSync(join(tmpdir(), 'atrium-release-'))
try {
  const models = await makeReleasedModel(folder)
  await writeTarball(path, `${name}-${version}`, [
    ...listReleaseFiles(root),
    ...models.map((file) => ({ name: `dist/models/${file}`, path: join(folder, file) })),
    { name: 'package.json', content: text },
    { name: 'package-lock.json', content: releaseLock(root) },
    // Tells `npm start` that everything is built.
    { name: 'dist/release', content: `${version}\n` },
  ])
} finally {
  rmSync(folder, { recursive: true })
}
console.info(`Wrote ${path}. Unpack it, then: npm ci --omit=dev && npm start`)
