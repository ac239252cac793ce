import { expect, test } from 'vitest'
import { fitInside, keepInside, showPlace, turned } from './use-placing.ts'

const natural = { width: 3000, height: 4000 }
const room = { width: 1000, height: 800 }

test('fits a picture in full, also rotated, without enlarging it', () => {
  const first = fitInside(natural, room, 0)
  expect(first.zoom).toBeCloseTo(752 / 4000)
  expect(first.y).toBeCloseTo(24)
  expect(fitInside(natural, room, 1).zoom).toBeCloseTo(952 / 4000)
  expect(fitInside({ width: 100, height: 50 }, room, 0)).toEqual({ zoom: 1, turns: 0, x: 450, y: 375 })
})

test('drags a picture within its bounds', () => {
  const large = { zoom: 1, turns: 0, x: 0, y: 0 }
  expect(keepInside({ ...large, x: 500, y: -9000 }, natural, room)).toMatchObject({ x: 0, y: -3200 })
  const small = { zoom: 0.1, turns: 0, x: -50, y: 900 }
  expect(keepInside(small, natural, room)).toMatchObject({ x: 0, y: 400 })
})

test('centres a passage at any rotation', () => {
  for (const turns of [0, 1, 2, 3]) {
    const shown = showPlace(fitInside(natural, room, turns), natural, room, [0.1, 0.2, 0.3, 0.25])
    const { width, height } = turned(natural, turns)
    const [x, y] = [
      (room.width / 2 - shown.x) / shown.zoom / width,
      (room.height / 2 - shown.y) / shown.zoom / height,
    ]
    const expected =
      [
        [0.2, 0.225],
        [0.775, 0.2],
        [0.8, 0.775],
        [0.225, 0.8],
      ][turns] ?? []
    expect([x, y].map((one) => Number(one.toFixed(3)))).toEqual(expected)
    expect(shown.zoom).toBeGreaterThan(0.5)
  }
})
