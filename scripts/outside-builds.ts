import { globSync, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { type HtmlTagDescriptor, type Plugin, transformWithOxc } from 'vite'
import { ZipFile } from 'yazl'
import english from '../locales/en/common.json' with { type: 'json' }
import french from '../locales/fr/common.json' with { type: 'json' }
import { PRODUCT_NAME } from '../src/shared/identity/branding/product-name.ts'
import { ICON_SIZES, MASKABLE_ICON, manifestIn } from '../src/shared/platform/web-manifest.ts'

const script = 'src/embed-script/embed.ts'
const extension = 'src/extension'
const serviceWorker = 'src/service-worker/worker.ts'
const mark = 'src/web/lifecycle/shell/mark.svg'
const ICON_PIXELS = 128

/** Pixels of the icon of the home screen of iOS. */
const APPLE_ICON = 180
/** The mark of the icon that is cut is within the inner four fifths. */
const MASKABLE_LOOK = { markShare: 0.62, ground: '#ffffff' }
const manifests = {
  'manifest.webmanifest': manifestIn('en', english.nav, { name: PRODUCT_NAME }),
  'manifest.fr.webmanifest': manifestIn('fr', french.nav, { name: PRODUCT_NAME }),
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
      for (const [fileName, manifest] of Object.entries(manifests))
        this.emitFile({ type: 'asset', fileName, source: JSON.stringify(manifest) })
      for (const size of [APPLE_ICON, ...ICON_SIZES])
        this.emitFile({ type: 'asset', fileName: `icon-${size}.png`, source: await drawIcon(size) })
      const { path, size } = MASKABLE_ICON
      this.emitFile({ type: 'asset', fileName: path, source: await drawIcon(size, MASKABLE_LOOK) })
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

type IconLook = { markShare: number; ground: string | null }

async function drawIcon(
  pixels: number,
  { markShare, ground }: IconLook = { markShare: 1, ground: null },
): Promise<Buffer> {
  const image = await loadImage(mark)
  const canvas = createCanvas(pixels, pixels)
  const context = canvas.getContext('2d')
  if (ground) {
    context.fillStyle = ground
    context.fillRect(0, 0, pixels, pixels)
  }
  const size = pixels * markShare
  const margin = (pixels - size) / 2
  context.drawImage(image, margin, margin, size, size)
  return canvas.encode('png')
}
