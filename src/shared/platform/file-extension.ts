/** Returns the lower-case extension without the dot; empty when there is none. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}
