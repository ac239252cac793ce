import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Reading } from '../src/parsers/elements/order.ts'
import { readDocument } from '../src/parsers/reader/read-document.ts'
import { atLeast } from './measure/targets.ts'
import { type MadeDocument, makeDocuments } from './tables/made-documents.ts'
import type { Cell } from './tables/made-table.ts'
import { scoreTables } from './tables/score-table.ts'

/**
 * Reads labelled tables from generated PDF files in varied styles, and scores their cells as the ICDAR 2013 competition does. A third
 * of the documents is held out: it is never listed, so that no one tunes the parser on it.
 *
 *   npm run bench -- tables [--only report] [--worst 20] [--keep <folder>]
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string' }, worst: { type: 'string', default: '0' }, keep: { type: 'string' } },
  })
  const scratch = mkdtempSync(join(tmpdir(), 'atrium-tables-'))
  try {
    const documents = (await makeDocuments()).filter(({ kind }) => !values.only || kind === values.only)
    const files = writeFiles(documents, scratch)
    const scored: { document: MadeDocument; score: number }[] = []
    for (const document of documents) {
      const path = files.get(document.name) as string
      if (values.keep && !document.isUnseen) keep(values.keep, document, path)
      for (const score of scoreTables(document.truth, await readTables(path, scratch)))
        scored.push({ document, score })
    }
    return summarize(scored, Number(values.worst))
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function writeFiles(documents: MadeDocument[], folder: string): Map<string, string> {
  const toPrint: string[] = []
  const files = new Map<string, string>()
  for (const { name, content } of documents) {
    files.set(name, join(folder, `${name}.pdf`))
    if ('pdf' in content) writeFileSync(join(folder, `${name}.pdf`), content.pdf)
    else {
      writeFileSync(join(folder, `${name}.html`), content.html)
      toPrint.push(join(folder, `${name}.html`))
    }
  }
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  if (toPrint.length > 0)
    execFileSync(
      'soffice',
      [profile, '--headless', '--convert-to', 'pdf:writer_web_pdf_Export', '--outdir', folder, ...toPrint],
      { stdio: 'ignore' },
    )
  return files
}

async function readTables(path: string, scratch: string): Promise<Cell[][]> {
  const outFolder = mkdtempSync(join(scratch, 'out-'))
  const order = {
    ...({
      path,
      name: 'made.pdf',
      folder: outFolder,
      outFolder,
      pipeline: 'normal',
      language: 'en',
    } as const),
    limits: {
      pages: 100,
      characters: 10_000_000,
      rows: 100_000,
      unpackedBytes: 2 ** 30,
      entries: 1000,
      depth: 1,
    },
    settings: { ocrLanguages: ['eng'], transcription: null, modelsFolder: scratch },
  }
  const { elements } = await readDocument(order, new AbortController().signal, () => undefined)
  return elements.flatMap(({ cells }) => (cells ? [cells.map(toCell)] : []))
}

const toCell = ({
  row,
  column,
  rowSpan = 1,
  columnSpan = 1,
  text,
}: NonNullable<Reading['elements'][number]['cells']>[number]): Cell => ({
  row,
  col: column,
  row_end: row + rowSpan - 1,
  col_end: column + columnSpan - 1,
  text,
})

function keep(folder: string, { name, truth }: MadeDocument, path: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.pdf`), readFileSync(path))
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(truth))
}

function summarize(scored: { document: MadeDocument; score: number }[], worst: number) {
  const [unseen, seen] = [
    scored.filter(({ document }) => document.isUnseen),
    scored.filter(({ document }) => !document.isUnseen),
  ]
  const byKind = Object.entries(Object.groupBy(scored, ({ document }) => document.kind)).map(
    ([kind, list = []]) => [
      kind,
      {
        seen: mean(list.filter(({ document }) => !document.isUnseen)),
        unseen: mean(list.filter(({ document }) => document.isUnseen)),
      },
    ],
  )
  return {
    tables: scored.length,
    seen: mean(seen),
    by_kind: Object.fromEntries(byKind),
    ...(worst > 0
      ? {
          worst: [...seen]
            .sort((a, b) => a.score - b.score)
            .slice(0, worst)
            .map(({ document, score }) => `${document.name} ${score.toFixed(3)}`),
        }
      : {}),
    targets: [atLeast(`${unseen.length} unseen tables`, mean(unseen), 0.9, 'F1')],
  }
}

const mean = (list: { score: number }[]) =>
  Math.round((1000 * list.reduce((sum, { score }) => sum + score, 0)) / Math.max(1, list.length)) / 1000
