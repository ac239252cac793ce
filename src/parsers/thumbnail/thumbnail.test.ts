import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterEach, expect, test } from 'vitest'
import { buildPdf, write } from '#tests/pdf.ts'
import type { Format } from '../elements/port.ts'
import { drawThumbnail } from './thumbnail.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

/** The thumbnail of bytes of a format and of its stored files; null if there is none. */
async function draw(format: Format, bytes: Uint8Array | string, kept: Record<string, Uint8Array> = {}) {
  const outFolder = await mkdtemp(join(tmpdir(), 'atrium-thumbnail-'))
  folders.push(outFolder)
  const path = join(outFolder, 'file')
  await writeFile(path, bytes)
  for (const [name, content] of Object.entries(kept)) await writeFile(join(outFolder, name), content)
  await drawThumbnail({ path, outFolder }, { format, kept: Object.keys(kept) })
  const thumbnail = join(outFolder, 'thumb.webp')
  if (!existsSync(thumbnail)) return null
  const image = await readFile(thumbnail)
  const { width, height } = await loadImage(image)
  return { width, height, bytes: image.length }
}

function picture(width: number, height: number) {
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').fillRect(0, 0, width / 2, height)
  return canvas.encode('png')
}

test('shows the first page of a PDF, or of the PDF made of an Office file', async () => {
  const pdf = buildPdf([{ content: [write(72, 700, 'First')] }, { content: [write(72, 700, 'Second')] }])
  const page = await draw('pdf', pdf)
  expect(page).toMatchObject({ height: 640 })
  expect(page?.bytes).toBeLessThan(50_000)
  expect(await draw('docx', 'PK', { 'view.pdf': pdf })).toEqual(page)
})

test('shows a picture, or the picture made of it, never larger than the original', async () => {
  expect(await draw('jpg', await createCanvas(4000, 1000).encode('jpeg'))).toMatchObject({
    ...{ width: 480, height: 120 },
  })
  expect(await draw('png', await picture(40, 30))).toMatchObject({ width: 40, height: 30 })
  expect(await draw('tiff', 'II*', { 'view-1.png': await picture(900, 900) })).toMatchObject({
    ...{ width: 480, height: 480 },
  })
})

test('does not exist for a document without pages or one that cannot be drawn', async () => {
  expect(await draw('txt', 'Some words.')).toBeNull()
  expect(await draw('pdf', '%PDF-1.7 and no more')).toBeNull()
})
