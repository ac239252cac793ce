const beginnings: [extension: string, at: number, bytes: string][] = [
  ['png', 0, '\x89PNG\r\n\x1a\n'],
  ['jpg', 0, '\xff\xd8\xff'],
  ['webp', 8, 'WEBP'],
]

/** Returns the extension of a picture from its first bytes; null if browsers and providers might not accept it. */
export function pictureKind(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16))
  return beginnings.find(([, at, start]) => head.startsWith(start, at))?.[0] ?? null
}
