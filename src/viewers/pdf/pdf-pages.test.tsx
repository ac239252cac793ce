import type { PDFDocumentProxy } from 'pdfjs-dist'
import { expect, test } from 'vitest'
import { PdfPages, pagesAhead } from './pdf-pages.ts'

const A4 = { width: 595, height: 842 }

/** Returns a fake PDF with one line of text per page; the third page is landscape, the second a scan. */
function aPdf(numPages: number) {
  const read: number[] = []
  const getPage = async (number: number) => ({
    getViewport: () => (number === 3 ? { width: 842, height: 595 } : A4),
    getTextContent: async () => {
      read.push(number)
      return { items: number === 2 ? [] : [{ str: `Prices of page ${number}`, hasEOL: true }], styles: {} }
    },
  })
  return { read, pdf: { numPages, getPage } as unknown as PDFDocumentProxy }
}

const word = { text: 'Scanned', box: [0, 0, 1, 1] as [number, number, number, number], confidence: 1 }
const readPart = async (number: number) => ({ number, page: null, elements: [], words: [word] })

test('reads the first 5 pages of a document, and 5 on each side of the current one [PD-03]', async () => {
  const { pdf, read } = aPdf(300)
  const pages = new PdfPages(pdf, A4, readPart)
  await pages.readAhead(1)
  expect(read.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
  await pages.readAhead(100)
  expect(read.slice(6).toSorted((a, b) => a - b)).toEqual([95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105])
  expect(pagesAhead(100, 300).slice(0, 3)).toEqual([100, 101, 99])
  expect(pagesAhead(2, 3)).toEqual([2, 3, 1])
})

test('reports the size of a page after reading it', async () => {
  const pages = new PdfPages(aPdf(4).pdf, A4, readPart)
  let told = 0
  pages.subscribe(() => {
    told += 1
  })
  expect(pages.sizes()[2]).toEqual(A4)
  await pages.readAhead(1)
  expect(pages.sizes()[2]).toEqual({ width: 842, height: 595 })
  expect(told).toBe(1)
})

test('searches the OCR words of a page without text', async () => {
  const pages = new PdfPages(aPdf(3).pdf, A4, readPart)
  expect((await pages.text(2)).text).toBe('scanned ')
  expect((await pages.text(3)).text).toBe('prices of page 3 ')
})
