import { type Direction, directionOf } from '#shared/platform/markdown/direction.ts'

/**
 * Returns the pieces of a line in the order they are drawn, from left to right. Simplified from the Unicode bidirectional
 * algorithm (UAX 9): a piece has the direction of its first letter; pieces without letters go with equal
 * neighbours, else with the line. Numbers are never turned around.
 */
export function visualOrder<Piece extends { text: string }>(
  pieces: Piece[],
  base: Direction | null,
): Piece[] {
  const directions = resolve(
    pieces.map(({ text }) => directionOf(text)),
    base ?? 'ltr',
  )
  if (!directions.includes('rtl')) return pieces
  const runs: { direction: Direction; pieces: Piece[] }[] = []
  for (const [at, piece] of pieces.entries()) {
    const direction = directions[at]!
    if (runs.at(-1)?.direction !== direction) runs.push({ direction, pieces: [] })
    runs.at(-1)!.pieces.push(direction === 'rtl' ? mirrored(piece) : piece)
  }
  const ordered = runs.map((run) => (run.direction === 'rtl' ? run.pieces.reverse() : run.pieces))
  return (base === 'rtl' ? ordered.reverse() : ordered).flat()
}

function resolve(found: (Direction | null)[], base: Direction): Direction[] {
  return found.map((direction, at) => {
    if (direction) return direction
    const before = found.slice(0, at).findLast((one) => one !== null) ?? base
    const after = found.slice(at + 1).find((one) => one !== null) ?? base
    return before === after ? before : base
  })
}

const mirrors = new Map([...'()[]{}<>«»‹›'].map((sign, at, all) => [sign, all[at % 2 ? at - 1 : at + 1]!]))

/** Turns signs without letters and digits around; letters are turned by the font. */
function mirrored<Piece extends { text: string }>(piece: Piece): Piece {
  if (/[\p{L}\p{N}]/u.test(piece.text)) return piece
  const text = [...piece.text]
    .reverse()
    .map((sign) => mirrors.get(sign) ?? sign)
    .join('')
  return { ...piece, text }
}
