import { globSync, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { type HtmlTagDescriptor, type Plugin, transformWithOxc } from 'vite'
import { ZipFile } from 'yazl'

const script = 'src/embed-script/embed.ts'
const extension = 'src/extension'
const serviceWorker = 'src/service-worker/worker.ts'
const mark = 'src/web/lifecycle/shell/mark.svg'
const ICON_PIXELS = 128

/** Icons of the installed product: of the home screen of iOS, and of the others. */
const APPLE_ICON = 180
const icons = [192, 512]
const manifest = {
  ...{ name: 'Atrium', short_name: 'Atrium', id: '/', start_url: '/', scope: '/', display: 'standalone' },
  ...{ background_color: '#ffffff', theme_color: '#4a7de6' },
  icons: icons.map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' })),
}
const links: HtmlTagDescriptor[] = [
  { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
  { tag: 'link', attrs: { rel: 'apple-touch-icon', href: `/icon-${APPLE_ICON}.png` }, injectTo: 'head' },
]

/**
 * Builds the files that stand alone: the script that embeds an assistant, the extension as it is downloaded, the service worker, and
 * the manifest with its icons.
 */
export function outsideBuilds(): Plugin {
  return {
    name: 'outside-builds',
    apply: 'build',
    transformIndexHtml: () => links,
    async generateBundle() {
      const source = `(() => {\n${await compile(script)}})()\n`
      this.emitFile({ type: 'asset', fileName: 'embed.js', source })
      this.emitFile({ type: 'asset', fileName: 'atrium-extension.zip', source: await packExtension() })
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: await compile(serviceWorker) })
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) })
      for (const size of [APPLE_ICON, ...icons])
        this.emitFile({ type: 'asset', fileName: `icon-${size}.png`, source: await drawIcon(size) })
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
  zip.addBuffer(await drawIcon(ICON_PIXELS), 'icon.png', { mtime })
  zip.end()
  return buffer(zip.outputStream)
}

async function drawIcon(pixels: number): Promise<Buffer> {
  const image = await loadImage(mark)
  const canvas = createCanvas(pixels, pixels)
  canvas.getContext('2d').drawImage(image, 0, 0, pixels, pixels)
  return canvas.encode('png')
}
