import { CSV_START, csvRow, csvStyles } from '#shared/platform/csv.ts'
import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/admin.json' with { type: 'json' }
import french from '../../../../locales/fr/admin.json' with { type: 'json' }
import type { Database } from '../../platform/db/db.ts'
import { readLines, type UsageScope } from './store.ts'

/** Streams usage as a spreadsheet file with exact amounts. */
export async function* writeUsageFile(
  db: Database,
  scope: UsageScope,
  language: Language,
): AsyncGenerator<string> {
  const { column } = (language === 'fr' ? french : english).usage
  const style = csvStyles[language]
  const head = [
    column.day,
    column.person,
    column.company,
    column.groups,
    column.model,
    column.assistant,
    column.tool,
  ]
  yield CSV_START + csvRow([...head, column.calls, column.input, column.output, column.amount], style)
  for await (const page of readLines(db, scope)) {
    yield page
      .map((line) => {
        const what = [
          line.day,
          line.person,
          line.company,
          line.groups,
          line.model_name,
          line.assistant,
          line.tool,
        ]
        return csvRow([...what, line.calls, line.input_tokens, line.output_tokens, line.amount], style)
      })
      .join('')
  }
}
