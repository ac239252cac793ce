/** Signatures of displayable and playable files. Other files keep their declared type. */
const signatures: [mediaType: string, at: number, bytes: string][] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['audio/wav', 8, 'WAVE'],
  ['video/x-msvideo', 8, 'AVI '],
  ['application/pdf', 0, '%PDF-'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/mpeg', 0, '\xff\xfb'],
  ['audio/mpeg', 0, '\xff\xf3'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/mp4', 4, 'ftypM4A'],
  ['video/quicktime', 4, 'ftypqt'],
  ['video/mp4', 4, 'ftyp'],
]

/** Containers of audio or video. Only the sender knows which. */
const containers: [kind: RegExp, fallback: string, bytes: string][] = [
  [/^(audio|video)\/webm\b/, 'video/webm', '\x1a\x45\xdf\xa3'],
  [/^(audio|video)\/ogg\b/, 'audio/ogg', 'OggS'],
]

/**
 * Returns the media type detected from the first bytes, else the declared one. A file declared as image, audio or video
 * without a known signature becomes `application/octet-stream`.
 */
export function sniffMediaType(head: Buffer, declared: string): string {
  const text = head.toString('latin1')
  const container = containers.find(([, , bytes]) => text.startsWith(bytes))
  if (container) return container[0].exec(declared)?.[0] ?? container[1]
  const known = signatures.find(([, at, bytes]) => text.startsWith(bytes, at))
  if (known) return known[0]
  const isPlain = /^[a-z]+\/[\w.+-]{1,100}$/.test(declared) && !/^(image|audio|video)\//.test(declared)
  return isPlain ? declared : 'application/octet-stream'
}
