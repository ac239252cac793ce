import { globSync, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { type HtmlTagDescriptor, type Plugin, transformWithOxc } from 'vite'
import { ZipFile } from 'yazl'
import english from '../locales/en/common.json' with { type: 'json' }
import french from '../locales/fr/common.json' with { type: 'json' }

const script = 'src/embed-script/embed.ts'
const extension = 'src/extension'
const serviceWorker = 'src/service-worker/worker.ts'
const mark = 'src/web/lifecycle/shell/mark.svg'
const ICON_PIXELS = 128

/** Icons of the installed product: of the home screen of iOS, and of the others. */
const APPLE_ICON = 180
const icons = [192, 512]
/** Icon that a system cuts into its own shape. Its mark is within the inner four fifths. */
const MASKABLE_ICON = { size: 512, path: 'icon-maskable-512.png', markShare: 0.62, ground: '#ffffff' }
const iconOf = (src: string, size: number, purpose: 'any' | 'maskable') => ({
  ...{ src, sizes: `${size}x${size}`, type: 'image/png', purpose },
})
const shortcutTo = (name: string, url: string) => ({
  ...{ name, url, icons: [iconOf('/icon-192.png', 192, 'any')] },
})
/** Describes the installed product in the language of its texts. The page names the manifest of its language. */
const manifestIn = (lang: string, { nav }: typeof english) => ({
  lang,
  ...{ name: 'Atrium', short_name: 'Atrium', id: '/', start_url: '/', scope: '/', display: 'standalone' },
  ...{ background_color: '#ffffff', theme_color: '#4a7de6' },
  icons: [
    ...icons.map((size) => iconOf(`/icon-${size}.png`, size, 'any')),
    iconOf(`/${MASKABLE_ICON.path}`, MASKABLE_ICON.size, 'maskable'),
  ],
  shortcuts: [
    shortcutTo(nav.new_chat, '/chat'),
    shortcutTo(nav.search, '/inbox?palette=open'),
    shortcutTo(nav.inbox, '/inbox'),
  ],
  // The service worker answers this address.
  share_target: {
    ...{ action: '/share', method: 'POST', enctype: 'multipart/form-data' },
    params: {
      ...{ title: 'title', text: 'text', url: 'url' },
      files: [{ name: 'files', accept: ['image/*', 'text/*', 'audio/*', 'video/*', 'application/*'] }],
    },
  },
})
const manifests = {
  'manifest.webmanifest': manifestIn('en', english),
  'manifest.fr.webmanifest': manifestIn('fr', french),
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
      for (const size of [APPLE_ICON, ...icons])
        this.emitFile({ type: 'asset', fileName: `icon-${size}.png`, source: await drawIcon(size) })
      const { path, size, ...look } = MASKABLE_ICON
      this.emitFile({ type: 'asset', fileName: path, source: await drawIcon(size, look) })
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
