import { type Canvas, createCanvas } from '@napi-rs/canvas'

/** Returns a copy of a picture, rotated clockwise. */
export function rotateCanvas(picture: Canvas, turn: 90 | 180 | 270): Canvas {
  const { width, height } = picture
  const turned = turn === 180 ? createCanvas(width, height) : createCanvas(height, width)
  const context = turned.getContext('2d')
  context.translate(turned.width / 2, turned.height / 2)
  context.rotate((turn * Math.PI) / 180)
  context.drawImage(picture, -width / 2, -height / 2)
  return turned
}
