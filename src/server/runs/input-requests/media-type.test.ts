import { describe, expect, it } from 'vitest'
import { sniffMediaType } from './media-type.ts'

const look = (head: string, declared = 'application/x-said') =>
  sniffMediaType(Buffer.from(head, 'latin1'), declared)

describe('sniffMediaType', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
    ['RIFF\0\0\0\0AVI LIST', 'video/x-msvideo'],
    ['%PDF-1.7', 'application/pdf'],
    ['ID3\x04', 'audio/mpeg'],
    ['\xff\xfb\x90', 'audio/mpeg'],
    ['\xff\xf3\x90', 'audio/mpeg'],
    ['fLaC\0', 'audio/flac'],
    ['\0\0\0\x20ftypM4A ', 'audio/mp4'],
    ['\0\0\0\x20ftypqt  ', 'video/quicktime'],
    ['\0\0\0\x20ftypisom', 'video/mp4'],
  ])('detects %j as %s from the first bytes', (head, type) => {
    expect(look(head)).toBe(type)
    expect(look(head, 'image/svg+xml')).toBe(type)
    expect(look(`x${head}`)).toBe('application/x-said')
  })

  it('uses the declared type to tell audio from video in a container, else the more common one', () => {
    const [webm, ogg] = ['\x1a\x45\xdf\xa3', 'OggS']
    for (const declared of ['audio/webm', 'video/webm']) expect(look(webm, declared)).toBe(declared)
    expect(look(webm, 'audio/webm;codecs=opus')).toBe('audio/webm')
    for (const declared of ['audio/ogg', 'video/ogg']) expect(look(ogg, declared)).toBe(declared)
    for (const declared of ['', 'audio/webmx', 'x-audio/webm', 'audio/ogg'])
      expect(look(webm, declared)).toBe('video/webm')
    for (const declared of ['', 'audio/oggs', 'my-video/ogg', 'video/webm'])
      expect(look(ogg, declared)).toBe('audio/ogg')
  })

  it('otherwise keeps a valid declared type that is neither displayed nor played', () => {
    const long = `text/${'x'.repeat(100)}`
    for (const said of ['text/plain', 'application/vnd.ms-excel', 'ximage/png', 'a/b+c-d_e', long])
      expect(look('hello', said)).toBe(said)
    const shown = ['image/png', 'audio/mpeg', 'video/mp4']
    const none = ['', 'text', 'text/', '/plain', 'te-xt/plain', 'text/plain; charset=utf-8', 'text/a b']
    for (const said of [...shown, ...none, `${long}x`, 'Text/plain'])
      expect(look('hello', said)).toBe('application/octet-stream')
    expect(look('', 'text/plain')).toBe('text/plain')
  })
})
