import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { oleOf } from '#tests/ole.ts'
import { forgetParsed, testLimits } from '#tests/parsed.ts'
import { zipOf } from '#tests/zip.ts'
import { sniffFormat } from './sniff.ts'

afterAll(forgetParsed)

const folder = mkdtempSync(join(tmpdir(), 'atrium-sniff-'))

async function sniff(name: string, bytes: Uint8Array | string) {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const content = Buffer.from(bytes)
  const file = { path, name, size: content.length, limits: testLimits, signal: new AbortController().signal }
  return sniffFormat(content.subarray(0, 65_536), file)
}

const types = (part: string) =>
  `<Types><Override PartName="/x.xml" ContentType="application/vnd.${part}.main+xml"/></Types>`
const mail =
  'From: a@b.example\nTo: c@d.example\nSubject: Hello\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\nText'

describe('sniffFormat', () => {
  it.each([
    ['pdf', '%PDF-1.7\n%\xe2'],
    ['png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['jpg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['gif', 'GIF89a\0'],
    ['webp', 'RIFF\0\0\0\0WEBPVP8 '],
    ['wav', 'RIFF\0\0\0\0WAVEfmt '],
    ['avi', 'RIFF\0\0\0\0AVI LIST'],
    ['tiff', 'II*\0\x08\0\0\0'],
    ['mp3', 'ID3\x04\0\0'],
    ['mp3', '\xff\xfb\x90\x64\0'],
    ['aac', '\xff\xf1\x50\x80\0'],
    ['ogg', 'OggS\0\x02'],
    ['flac', 'fLaC\0\0'],
    ['mp4', '\0\0\0\x20ftypisom\0\0'],
    ['m4a', '\0\0\0\x20ftypM4A \0\0'],
    ['mov', '\0\0\0\x14ftypqt  \0\0'],
    ['webm', '\x1aE\xdf\xa3\x01B\x82\x84webm'],
    ['mkv', '\x1aE\xdf\xa3\x01B\x82\x88matroska'],
    ['rtf', '{\\rtf1\\ansi Hello}'],
  ])('knows %s by its first bytes', async (format, bytes) => {
    expect(await sniff('file', Buffer.from(bytes, 'latin1'))).toEqual({ format, isExpected: true })
  })

  it.each([
    ['docx', { '[Content_Types].xml': types('openxmlformats-officedocument.wordprocessingml.document') }],
    ['xlsx', { '[Content_Types].xml': types('openxmlformats-officedocument.spreadsheetml.sheet') }],
    ['pptx', { '[Content_Types].xml': types('openxmlformats-officedocument.presentationml.presentation') }],
    ['odt', { mimetype: 'application/vnd.oasis.opendocument.text' }],
    ['ods', { mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }],
    ['odp', { mimetype: 'application/vnd.oasis.opendocument.presentation' }],
    ['epub', { mimetype: 'application/epub+zip' }],
    ['zip', { 'notes/a.txt': 'hello' }],
    [null, { 'Index/Document.iwa': 'x' }],
  ])('knows %s by what stands in the zip', async (format, parts) => {
    expect((await sniff('file.bin', zipOf(parts))).format).toBe(format)
  })

  it.each([
    ['doc', ['WordDocument', '1Table']],
    ['xls', ['Workbook']],
    ['ppt', ['PowerPoint Document']],
    ['msg', ['__nameid_version1.0']],
    [null, ['Something']],
  ])('recognises %s by the streams of the OLE file', async (format, streams) => {
    expect((await sniff('file', oleOf(streams))).format).toBe(format)
  })

  it('takes an encrypted Office file for the kind its name suggests', async () => {
    expect((await sniff('plan.xlsx', oleOf(['EncryptedPackage']))).format).toBe('xlsx')
  })

  it.each([
    ['html', 'a', '<!-- saved -->\n<!DOCTYPE html><html><body>Hi</body></html>'],
    ['xml', 'a', '<?xml version="1.0"?><order><line/></order>'],
    ['svg', 'a', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
    ['eml', 'a', mail],
    ['json', 'a', '{"name": [1, 2]}'],
    ['csv', 'a', 'name;age;city\nAnn;31;Lyon\nBob;44;Nice\n'],
    ['md', 'a', '# Title\n\nSome [link](https://a.example) here.'],
    ['txt', 'a', 'Only a few words, and nothing else.'],
    ['txt', 'a.csv.txt', 'name;age;city\nAnn;31;Lyon\nBob;44;Nice\n'],
    ['md', 'readme.md', '<div align="center">Logo</div>\n\n# Title'],
    ['csv', 'list.csv', 'Ann\nBob\n'],
    ['html', 'part.htm', '<p>Hello <b>you</b></p>'],
  ])('knows %s by its content', async (format, name, text) => {
    expect(await sniff(name, text)).toEqual({ format, isExpected: true })
  })

  it.each([
    ['photo.jpeg', '\xff\xd8\xff\xe0', true],
    ['page.htm', '<html><body>x</body></html>', true],
    ['notes.markdown', '# Title', true],
    ['notes.text', 'Hello', true],
    ['program.py', 'print(1)', true],
    ['photo.png', '\xff\xd8\xff\xe0', false],
    ['letter.docx', '%PDF-1.7', false],
    ['data.json', 'no json at all', false],
    ['page.html', 'no tag at all', false],
  ])('says whether the name %s is right', async (name, bytes, isExpected) => {
    expect((await sniff(name, Buffer.from(bytes, 'latin1'))).isExpected).toBe(isExpected)
  })

  it.each(['utf-16le', 'utf-8'] as const)('reads text in %s', async (encoding) => {
    expect((await sniff('a', Buffer.from(`\ufeff${mail}`, encoding))).format).toBe('eml')
  })

  it('returns null for bytes that are not a document', async () => {
    expect(
      (await sniff('a.txt', Buffer.from(Array.from({ length: 400 }, (_, at) => at % 32)))).format,
    ).toBeNull()
  })
})
