import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

/** A file of the archive: its content, or a path to copy it from. */
export type ReleaseFile = { name: string; path: string } | { name: string; content: string }

/** Writes a gzipped tarball with one folder. It appears under its name when it is complete. */
export async function writeTarball(path: string, folder: string, files: ReleaseFile[]): Promise<void> {
  const archive = pack()
  const unfinished = `${path}.${process.pid}`
  const written = pipeline(archive, createGzip({ level: 9 }), createWriteStream(unfinished))
  try {
    await Promise.all([written, addFiles(archive, folder, files)])
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function addFiles(
  archive: ReturnType<typeof pack>,
  folder: string,
  files: ReleaseFile[],
): Promise<void> {
  for (const file of files) {
    const name = `${folder}/${file.name}`
    if ('content' in file) archive.entry({ name, mode: 0o644 }, file.content)
    else {
      const { size, mtime } = await stat(file.path)
      await pipeline(createReadStream(file.path), archive.entry({ name, size, mtime, mode: 0o644 }))
    }
  }
  archive.finalize()
}
