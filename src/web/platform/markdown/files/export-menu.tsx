import { Braces, CodeXml, Download, FileText, Hash, Sheet } from 'lucide-react'
import { use } from 'react'
import { tableWords } from '#shared/platform/markdown/plain-text.ts'
import type { TableBlock } from '#shared/platform/markdown/tree.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { TableExports } from '../context.ts'
import { saveTable } from './save-block.ts'
import { type TableFormat, tableFormats } from './table-file.ts'

const icons = { xlsx: Sheet, csv: FileText, html: CodeXml, md: Hash, json: Braces } satisfies Record<
  TableFormat,
  typeof Sheet
>

/** The formats in which a table can be saved, and other export targets. */
export function ExportMenu({ block }: { block: TableBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const exports = use(TableExports)
  const count = { count: block.rows.length, columns: block.head.length }
  return (
    <Menu
      align="end"
      trigger={
        <IconButton name={t('markdown.save_table')} size="sm">
          <Download aria-hidden className="icon" />
        </IconButton>
      }
      entries={[
        { kind: 'heading', label: t('markdown.export', { size: t('markdown.table_size', count) }) },
        ...tableFormats.map((format) => {
          const Icon = icons[format]
          return {
            key: format,
            label: t(`markdown.formats.${format}`),
            icon: <Icon aria-hidden />,
            end: `.${format}`,
            onSelect: () => void saveTable(tableWords(block), format),
          }
        }),
        ...(exports.length > 0 ? [{ kind: 'separator' as const }] : []),
        ...exports.map(({ label, run }) => ({ key: label, label, onSelect: () => run(tableWords(block)) })),
      ]}
    />
  )
}
