/** Returns the file name in a resource's address without its extension, cleaned up as a file name; null if there is none. */
export function readPictureName(uri: string): string | null {
  const last = uri.split(/[?#]/)[0]?.split(/[/\\]/).at(-1) ?? ''
  const name = last.replace(/\.[a-z0-9]{1,5}$/i, '').replace(/[^\p{L}\p{N} _-]/gu, '')
  return name === '' ? null : name.slice(0, 60)
}
