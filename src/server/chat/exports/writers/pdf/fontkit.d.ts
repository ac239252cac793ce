/** The part of fontkit that is used here; the package has no types. */
declare module 'fontkit' {
  export type Font = {
    fullName: string
    directory: { tables: Record<string, unknown> }
    hasGlyphForCodePoint(code: number): boolean
  }
  export type Collection = { fonts: Font[] }
  export function create(bytes: Uint8Array): Font | Collection
}
