import type { PDFPageProxy } from 'pdfjs-dist'
import { expect, test } from 'vitest'
import { afterPages, drawPage } from './draw-page.ts'

const signal = () => new AbortController().signal

/** Returns a fake page that finishes drawing on command. */
function aPage(name: string, order: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const page = {
    getViewport: () => ({ width: 10, height: 10 }),
    render: () => ({ promise: promise.then(() => order.push(name)), cancel: () => {} }),
  }
  return { read: async () => page as unknown as PDFPageProxy, end: resolve }
}

test('draws waiting pages before texts, thumbnails and pages ahead', async () => {
  const order: string[] = []
  const [first, second] = [aPage('first', order), aPage('second', order)]
  const drawn = [drawPage(first.read, { scale: 1, signal: signal() })]
  const text = afterPages(signal(), async () => order.push('text'))
  drawn.push(drawPage(second.read, { scale: 1, signal: signal() }))
  first.end()
  await drawn[0]
  second.end()
  await Promise.all([...drawn, text])
  expect(order).toEqual(['first', 'second', 'text'])
})

test('skips cancelled work without blocking the rest', async () => {
  const gone = new AbortController()
  const read: string[] = []
  gone.abort()
  const page = async () => Promise.reject(new Error(String(read.push('page'))))
  expect(await drawPage(page, { scale: 1, signal: gone.signal })).toBeUndefined()
  expect(await afterPages(gone.signal, async () => read.push('text'))).toBeUndefined()
  await expect(afterPages(signal(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await afterPages(signal(), async () => 'next')).toBe('next')
  expect(read).toEqual([])
})
