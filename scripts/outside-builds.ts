import { globSync, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { type Plugin, transformWithOxc } from 'vite'
import { ZipFile } from 'yazl'

const script = 'src/embed-script/embed.ts'
const extension = 'src/extension'
const mark = 'src/web/lifecycle/shell/mark.svg'
const ICON_PIXELS = 128

/** Builds the files that run in other pages and browsers, each by itself: the script that embeds an assistant, and the extension as it is downloaded. */
export function outsideBuilds(): Plugin {
  return {
    name: 'outside-builds',
    apply: 'build',
    async generateBundle() {
      const source = `(() => {\n${await compile(script)}})()\n`
      this.emitFile({ type: 'asset', fileName: 'embed.js', source })
      this.emitFile({ type: 'asset', fileName: 'atrium-extension.zip', source: await packExtension() })
    },
  }
}

async function compile(path: string): Promise<string> {
  const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path, {
    target: 'es2023',
    sourcemap: false,
  })
  return code
}

/** Packs the extension reproducibly: timestamps are fixed, so equal sources give equal bytes. */
async function packExtension(): Promise<Buffer> {
  const zip = new ZipFile()
  const mtime = new Date('2026-01-01T00:00:00Z')
  const names = globSync('**/*', { cwd: extension, exclude: ['**/*.d.ts'] })
  for (const name of names.filter((one) => /\.\w+$/.test(one)).sort()) {
    const path = `${extension}/${name}`
    const content = name.endsWith('.ts') ? Buffer.from(await compile(path)) : readFileSync(path)
    zip.addBuffer(content, name.replaceAll('\\', '/').replace(/\.ts$/, '.js'), { mtime })
  }
  zip.addBuffer(await drawIcon(), 'icon.png', { mtime })
  zip.end()
  return buffer(zip.outputStream)
}

async function drawIcon(): Promise<Buffer> {
  const image = await loadImage(mark)
  const canvas = createCanvas(ICON_PIXELS, ICON_PIXELS)
  canvas.getContext('2d').drawImage(image, 0, 0, ICON_PIXELS, ICON_PIXELS)
  return canvas.encode('png')
}
