import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { drawnFont } from '#tests/drawn-text.ts'
import { readBytes } from '#tests/reading.ts'
import { parse } from './parse.ts'

function draw(text: string, width = 700, height = 200) {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.fillStyle = 'black'
  context.font = drawnFont(32)
  context.fillText(text, 40, 100)
  return canvas
}

/** Adds the orientation of the camera as cameras do: orientation 6, a quarter turn to the right. */
const held = (jpeg: Buffer): Buffer =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from('ffe1002245786966000' + '04d4d002a00000008000101120003000000010006000000000000', 'hex'),
    jpeg.subarray(2),
  ])

test('a picture is a page of pixels with its words, and its text is an element', {
  timeout: 120_000,
}, async () => {
  const { elements, pages } = await readBytes(
    parse,
    'png',
    await draw('Invoice for two chairs').encode('png'),
  )
  expect(elements.map(({ type, text }) => [type, text])).toEqual([
    ['NarrativeText', 'Invoice for two chairs'],
  ])
  expect(pages).toMatchObject([{ number: 1, width: 700, height: 200 }])
  const [left = 0, top = 0, right = 0, bottom = 0] = pages[0]?.words?.[0]?.box ?? []
  expect([left, top, right, bottom]).toEqual(
    [40 / 700, 76 / 200, 150 / 700, 101 / 200].map((value) => expect.closeTo(value, 1)),
  )
})

test('the orientation of the camera is respected', async () => {
  const jpeg = held(await draw('').encode('jpeg'))
  const { pages } = await readBytes(parse, 'jpg', jpeg, { pipeline: 'low_latency' })
  expect(pages).toEqual([{ number: 1, width: 200, height: 700 }])
})

test('a TIFF file has its pages, each stored as a picture for viewers', async () => {
  const { pages, kept } = await readBytes(parse, 'tiff', tiff([2, 3]), { pipeline: 'low_latency' })
  expect(pages).toEqual([
    { number: 1, width: 2, height: 1 },
    { number: 2, width: 3, height: 1 },
  ])
  expect(Object.keys(kept)).toEqual(['view-1.png', 'view-2.png'])
  expect((await loadImage(kept['view-2.png'] as Buffer)).width).toBe(3)
})

test('a drawing is its text and a picture, and nothing in it runs or loads', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" onload="boom()">
    <script>boom()</script><image href="http://127.0.0.1:9/x.png" width="9" height="9"/>
    <text x="1" y="20">Plan of <tspan>the hall</tspan></text></svg>`
  const { elements, kept, pages } = await readBytes(parse, 'svg', Buffer.from(svg))
  expect(elements.map(({ text }) => text)).toEqual(['Plan of the hall'])
  expect(pages).toEqual([{ number: 1, width: 80, height: 40 }])
  expect((await loadImage(kept['view.png'] as Buffer)).width).toBe(80)
})

test('a picture that would exceed the memory when decoded, or is not a picture, is refused', async () => {
  const bomb = await draw('').encode('png')
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  await expect(readBytes(parse, 'png', bomb)).rejects.toMatchObject({ code: 'too_large_inside' })
  await expect(readBytes(parse, 'png', Buffer.from('\x89PNG\r\n\x1a\n and no more'))).rejects.toMatchObject({
    code: 'damaged',
  })
  await expect(readBytes(parse, 'tiff', Buffer.from('II*\0 nothing'))).rejects.toMatchObject({
    code: 'damaged',
  })
})

/** Pages of one row of black pixels, as minimal TIFF files. */
function tiff(widths: number[]): Buffer {
  const head = Buffer.from('49492a0008000000', 'hex')
  let at = 8
  const parts = widths.map((width, index) => {
    const tags = [
      [256, width],
      [257, 1],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, at + 2 + 8 * 12 + 4],
      [277, 1],
      [279, width],
    ]
    const part = Buffer.alloc(2 + tags.length * 12 + 4 + width)
    part.writeUInt16LE(tags.length)
    tags.forEach(([tag = 0, value = 0], row) => {
      part.writeUInt16LE(tag, 2 + row * 12)
      part.writeUInt16LE(4, 4 + row * 12)
      part.writeUInt32LE(1, 6 + row * 12)
      part.writeUInt32LE(value, 10 + row * 12)
    })
    at += part.length
    part.writeUInt32LE(index + 1 < widths.length ? at : 0, 2 + tags.length * 12)
    return part
  })
  return Buffer.concat([head, ...parts])
}
