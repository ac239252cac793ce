/**
 * Returns where to cut a text so that at most `most` characters stay: at the last line or word of the second half, otherwise between any two
 * characters, as some languages have no spaces. `linkAround` returns where the link around a position begins; no link is cut.
 */
export function cutPoint(
  text: string,
  most: number,
  linkAround: (text: string, at: number) => number | null,
): number {
  const ends = ['\n', ' '].map((end) => text.lastIndexOf(end, most))
  const at = ends.find((end) => end > most / 2) ?? most
  const link = linkAround(text, at)
  if (link !== null && link > 0) return link
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at
}
