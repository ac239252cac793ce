import { AppError } from '#shared/platform/errors.ts'
import { CHAT_FILE } from '../../models/models/models.ts'

const isSum = (text: string) => /^[0-9a-f]{64}$/i.test(text)

/** Maps the path of a file at its publisher to its name in the model folder. */
const nameOf = (path: string) => {
  const name = path.replace(/^\*?(?:\.\/)?(?:onnx\/)?/, '')
  return name.endsWith('.gguf') ? CHAT_FILE : name
}

/**
 * Parses checksums by file name: a single SHA-256 is that of `file`, the model; otherwise each line has a checksum and a name.
 * @throws AppError `invalid` for anything else
 */
export function readSums(stated: string, file: string): Map<string, string> {
  const lines = stated
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first = ''] = lines
  if (lines.length === 1 && isSum(first)) return new Map([[file, first.toLowerCase()]])
  return new Map(lines.map((line) => readLine(line, file)))
}

function readLine(line: string, file: string): [string, string] {
  const [sum = '', path = ''] = line.split(/[ \t]+/)
  if (!isSum(sum) || path === '')
    throw new AppError(
      'invalid',
      `State the SHA-256 of ${file}, which has 64 letters and digits, or lines as sha256sum writes them.`,
    )
  return [nameOf(path), sum.toLowerCase()]
}
