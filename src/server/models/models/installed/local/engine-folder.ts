import { access } from 'node:fs/promises'
import { join } from 'node:path'
import lock from './engine-packages.json' with { type: 'json' }

/** The package that runs GGUF models, and its pinned version. */
export const ENGINE = 'node-llama-cpp'
export const ENGINE_VERSION = lock.packages['node_modules/node-llama-cpp'].version

const binaries: Partial<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
}

/** Returns the package with the engine's binaries for a machine; null if there is none. */
export function binaryPackage(platform = process.platform, arch: string = process.arch): string | null {
  const name = binaries[`${platform}-${arch}`]
  return name ? `@node-llama-cpp/${name}` : null
}

/** Returns the folder of the pinned engine version for this kind of machine, inside the data folder. */
export const engineFolder = (dataDir: string): string =>
  join(dataDir, 'engine', `${ENGINE_VERSION}-${process.platform}-${process.arch}`)

/** Returns whether the engine is installed. Its folder is renamed into place only when complete. */
export const hasEngine = (dataDir: string): Promise<boolean> =>
  access(engineFolder(dataDir)).then(
    () => true,
    () => false,
  )

/** Returns the `package.json` and `package-lock.json` of an engine folder, with pinned versions and hashes. */
export function engineManifests(binary: string) {
  const { version } = lock.packages[`node_modules/${binary}` as keyof typeof lock.packages]
  const head = { name: 'atrium-engine', version: '1.0.0' }
  const dependencies = { [ENGINE]: ENGINE_VERSION, [binary]: version }
  const others = Object.entries(lock.packages).filter(
    ([path]) => !path.startsWith('node_modules/@node-llama-cpp/') || path === `node_modules/${binary}`,
  )
  return {
    manifest: { ...head, private: true, dependencies },
    lock: {
      ...head,
      ...{ lockfileVersion: 3, requires: true },
      packages: { '': { ...head, dependencies }, ...Object.fromEntries(others) },
    },
  }
}
