import { describe, expect, it } from 'vitest'
import { aDocument } from '#tests/web/document-builder.ts'
import { pagesOf, viewerOf } from './viewer-of.ts'

const documentOf = (normalized_extension: string, files: readonly string[]) =>
  aDocument({ normalized_extension, doc_metadata: { ...aDocument().doc_metadata, files: [...files] } })

describe('viewer of a document', () => {
  it.each([
    ['pdf', [], 'pdf'],
    ['docx', ['view.pdf'], 'pdf'],
    ['docx', [], 'fallback'],
    ['pptx', ['view.pdf'], 'pdf'],
    ['pptx', [], 'slides'],
    ['odp', [], 'slides'],
    ['xlsx', ['view.pdf', 'sheets.json', 'sheet-0-rows-0.json'], 'sheet'],
    ['csv', ['sheets.json'], 'sheet'],
    ['tiff', ['view.png'], 'image'],
    ['gif', [], 'image'],
    ['mp3', [], 'media'],
    ['mov', [], 'media'],
    ['mkv', [], 'media'],
    ['avi', ['view.mp4'], 'media'],
    ['html', ['view.html'], 'html'],
    ['txt', [], 'markdown'],
    ['eml', ['mail.json'], 'mail'],
    ['msg', ['mail.json'], 'mail'],
    ['zip', [], 'archive'],
    ['epub', [], 'fallback'],
  ] as const)('of %s with %j is %s', (extension, names, kind) => {
    expect(viewerOf(documentOf(extension, names))).toBe(kind)
  })

  it('is the transcript view for a text with times', () => {
    expect(viewerOf({ ...documentOf('txt', []), duration: 65 })).toBe('transcript')
  })

  it('depends on its kind: pictures, pages of PDF and office files, video, sound, otherwise the fallback page', () => {
    const kinds = (extensions: string[], files: string[] = []) => [
      ...new Set(extensions.map((extension) => pagesOf(documentOf(extension, files)))),
    ]
    expect(kinds(['png', 'jpg', 'jpeg', 'gif', 'webp'])).toEqual(['image'])
    const office = ['doc', 'docx', 'ppt', 'pptx', 'xls', 'xlsx', 'odt', 'ods', 'odp', 'rtf']
    expect(kinds(['pdf'])).toEqual(['pdf'])
    expect(kinds(office, ['sheets.json', 'view.pdf'])).toEqual(['pdf'])
    expect(kinds(['mp4', 'webm', 'ogg', 'mp3', 'wav'])).toEqual(['media'])
    expect(kinds(['epub', 'json', 'xml', 'bin'])).toEqual(['fallback'])
  })
})
