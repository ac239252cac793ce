import { codeOf } from '../elements/elements.ts'
import type { Element, Job } from '../elements/port.ts'
import { type Data, elementsOfData } from '../records/records.ts'
import { readText } from '../text/read-text.ts'

/** Lines of one piece of code: small enough to be found and shown on its own. */
const LINES = 60

/** Reads JSON, either one value or one per line; as code if it is malformed. */
export async function parse(job: Job): Promise<void> {
  const text = await readText(job)
  for (const element of readData(text) ?? codePieces(text)) job.add(element)
  job.progress(1, 1)
}

function readData(text: string): Element[] | null {
  try {
    return elementsOfData(dataOf(text))
  } catch {
    return null
  }
}

/** Logs and exports have one value per line. */
function dataOf(text: string): Data {
  try {
    return JSON.parse(text) as Data
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => JSON.parse(line) as Data)
  }
}

function codePieces(text: string): Element[] {
  const lines = text.split('\n')
  return Array.from({ length: Math.ceil(lines.length / LINES) }, (_, at) =>
    codeOf(lines.slice(at * LINES, (at + 1) * LINES).join('\n'), 'json'),
  ).filter((element) => element !== null)
}
