import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { BrowserContext, Worker } from 'playwright-core'
import { fromBufferPromise } from 'yauzl'
import { openProfile } from './browser.ts'

export type Extension = {
  context: BrowserContext
  /** The background worker. */
  worker: Worker
  /** Address of its panel, `chrome-extension://…/panel.html`. */
  panel: string
  manifest: Record<string, unknown>
  close: () => Promise<void>
}

/** Starts a real browser with the extension as downloaded from a product. */
export async function startExtension(url: string): Promise<Extension> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-extension-'))
  const manifest = JSON.parse(await unpack(`${url}/atrium-extension.zip`, folder))
  const context = await openProfile([`--disable-extensions-except=${folder}`, `--load-extension=${folder}`])
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const panel = new URL('panel.html', worker.url()).href
  return { context, worker, panel, manifest, close: () => context.close() }
}

async function unpack(from: string, folder: string): Promise<string> {
  const answer = await fetch(from)
  if (!answer.ok) throw new Error(`${from}: ${answer.status}`)
  const zip = await fromBufferPromise(Buffer.from(await answer.arrayBuffer()))
  let manifest = ''
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    if (entry.fileName === 'manifest.json') manifest = content.toString()
    mkdirSync(dirname(join(folder, entry.fileName)), { recursive: true })
    writeFileSync(join(folder, entry.fileName), content)
  }
  return manifest
}
