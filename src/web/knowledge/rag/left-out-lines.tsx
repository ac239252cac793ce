import type { LeftOut } from '#shared/knowledge/documents/named-documents.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'

/** Documents that were not searched, because they are being processed or failed. */
export function LeftOutLines(leftOut: LeftOut) {
  const { t } = useTranslation('vectors')
  return (['reading', 'failed'] as const).map((state) => {
    const { documents, names } = leftOut[state]
    if (documents === 0) return null
    const more = documents - names.length
    const list = [...names, ...(more > 0 ? [t('rag.left_out.more', { count: more })] : [])].join(', ')
    return (
      <p key={state} className="mt-2 text-12 text-ink-2">
        {t(`rag.left_out.${state}`, { names: list })}
      </p>
    )
  })
}
