import { type ErasedCounts, erasedKinds } from '#shared/lifecycle/erasure/erasure.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { sizeText } from '../../platform/ui/files/file-size.ts'

/** Items deleted with an account, one line per kind. */
export function CountsList({ counts }: { counts: ErasedCounts }) {
  const { t } = useTranslation('erasure')
  const kinds = erasedKinds.filter((kind) => (counts[kind] ?? 0) > 0)
  if (kinds.length === 0) return <p className="text-13 text-ink-3">{t('receipt.nothing')}</p>
  return (
    <ul className="divide-y divide-line rounded-card border border-line">
      {kinds.map((kind) => (
        <li key={kind} className="flex items-center gap-3 px-3.5 py-2.5 text-13">
          <span className="min-w-0 flex-1">{t(`receipt.kinds.${kind}`)}</span>
          <span className="font-medium">
            {kind === 'file_bytes' ? sizeText(t, counts[kind] ?? 0) : formatNumber(counts[kind] ?? 0)}
          </span>
        </li>
      ))}
    </ul>
  )
}
