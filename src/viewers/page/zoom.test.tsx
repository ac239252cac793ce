import { expect, test } from 'vitest'
import { IMAGE_ZOOM, PDF_ZOOM, roundZoom, stepZoom } from './zoom.ts'

function steps(from: number, direction: 1 | -1, range: typeof PDF_ZOOM): number[] {
  const found = [from]
  for (let zoom = from, next = stepZoom(zoom, direction, range); next !== zoom; ) {
    found.push(next)
    zoom = next
    next = stepZoom(zoom, direction, range)
  }
  return found
}

const tenths = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => (from + at) / 10)

test('zooms a PDF from 0.2 to 3 in steps of 0.1 [PD-04]', () => {
  expect(steps(0.2, 1, PDF_ZOOM)).toEqual(tenths(2, 30))
  expect(steps(3, -1, PDF_ZOOM)).toEqual(tenths(2, 30).reverse())
})

test('zooms a picture from 0.1 to 5 in steps of 0.1 [IV-02]', () => {
  expect(steps(0.1, 1, IMAGE_ZOOM)).toEqual(tenths(1, 50))
  expect(steps(5, -1, IMAGE_ZOOM)).toEqual(tenths(1, 50).reverse())
})

test('steps from a fitted zoom to the next tenth', () => {
  expect([stepZoom(1.37, 1, PDF_ZOOM), stepZoom(1.37, -1, PDF_ZOOM)]).toEqual([1.4, 1.3])
  expect([roundZoom(9, PDF_ZOOM), roundZoom(0.01, IMAGE_ZOOM)]).toEqual([3, 0.1])
})
