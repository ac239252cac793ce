import { AppError } from '#shared/platform/errors.ts'

const isSum = (text: string) => /^[0-9a-f]{64}$/i.test(text)

/** Where publishers put the model beside its other files. */
const nameOf = (path: string) => path.replace(/^\*?(?:\.\/)?(?:onnx\/)?/, '')

/**
 * What files must be, by their names: one SHA-256 alone is that of the model, else each line has a sum and a name.
 * @throws AppError `invalid` for what is neither
 */
export function readSums(stated: string): Map<string, string> {
  const lines = stated
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first = ''] = lines
  if (lines.length === 1 && isSum(first)) return new Map([['model.onnx', first.toLowerCase()]])
  return new Map(lines.map(readLine))
}

function readLine(line: string): [string, string] {
  const [sum = '', path = ''] = line.split(/[ \t]+/)
  if (!isSum(sum) || path === '')
    throw new AppError(
      'invalid',
      'State the SHA-256 of model.onnx, which has 64 letters and digits, or lines as sha256sum writes them.',
    )
  return [nameOf(path), sum.toLowerCase()]
}
