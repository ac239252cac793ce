/** Returns a text without slashes at its end, in linear time. */
export function trimEndSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/** Returns a text without slashes at its beginning and end, in linear time. */
export function trimSlashes(text: string): string {
  let begin = 0
  while (text[begin] === '/') begin += 1
  return trimEndSlashes(text.slice(begin))
}
