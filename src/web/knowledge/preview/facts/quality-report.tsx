import { useQuery } from '@tanstack/react-query'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import { type Document, getDocumentReport, type Report } from '#shared/knowledge/documents/documents.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { currentLanguage, type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { isOver } from '../use-document.ts'
import { EncodingChoice } from './encoding-choice.tsx'

/** The quality of a document's reading: a button with the number of warnings, and a dialog with all of them. */
export function QualityReport({ document }: { document: Document }) {
  const { id, version, name } = document
  const { t } = useTranslation('documents')
  const [isOpen, setOpen] = useState(false)
  const { data: report } = useQuery({
    queryKey: ['document-file', id, version, 'report'],
    queryFn: ({ signal }) =>
      call(getDocumentReport, { params: { documentId: id }, query: { version }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!report) return null
  const count = report.warnings.length
  const words = count > 0 ? t('report.remarks', { count }) : t('report.good')
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-haspopup="dialog"
        aria-label={words}
        icon={<ClipboardCheck aria-hidden className="icon-14" />}
        className={count > 0 ? 'text-warning' : undefined}
        onClick={() => setOpen(true)}
      >
        {count > 0 && <span className="md:hidden">{count}</span>}
        <span className="max-md:hidden">{words}</span>
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} size="md" title={t('report.title')} description={name}>
        <ReportFacts document={document} report={report} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

type Shown = { document: Document; report: Report; onClose: () => void }

function ReportFacts({ document, report, onClose }: Shown) {
  const { t } = useTranslation('documents')
  return (
    <div className="mt-3 grid gap-4">
      <dl className="grid grid-cols-2 gap-x-6 text-13 max-md:grid-cols-1">
        {factsOf(t, report).map(({ name, value }) => (
          <div key={name} className="flex justify-between gap-4 border-b border-line py-2">
            <dt className="text-ink-2">{name}</dt>
            <dd className="num text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-2">
        {report.warnings.map((warning, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was remarked of a reading never changes.
          <Callout key={at} tone="warning">
            {warningText(t, warning)}
            {typeof warning.values.encoding === 'string' && isOver(document) && (
              <EncodingChoice document={document} current={warning.values.encoding} onRead={onClose} />
            )}
          </Callout>
        ))}
        {report.warnings.length === 0 && <Callout tone="success">{t('report.no_remarks')}</Callout>}
      </div>
    </div>
  )
}

function factsOf(t: TFunction, report: Report): { name: string; value: string }[] {
  const { pages, pages_without_text, pages_by_ocr, ocr_confidence, tables, figures, words, languages } =
    report
  const names = new Intl.DisplayNames([currentLanguage()], { type: 'language' })
  const share = ocr_confidence === null ? '' : formatNumber(ocr_confidence, { style: 'percent' })
  const ocr =
    share && pages_by_ocr > 0
      ? t('documents:report.confidence', { pages: formatNumber(pages_by_ocr), share })
      : formatNumber(pages_by_ocr)
  const facts: [string, string | null][] = [
    ['pages', pages === null ? null : formatNumber(pages)],
    ['pages_without_text', pages === null ? null : formatNumber(pages_without_text)],
    ['pages_by_ocr', pages === null ? null : ocr],
    ['tables', formatNumber(tables)],
    ['figures', formatNumber(figures)],
    ['words', formatNumber(words)],
    ['letters', report.letters ? lettersText(t, report.letters) : null],
    [
      'languages',
      languages.map((code) => names.of(code) ?? code).join(', ') || t('documents:report.unknown'),
    ],
  ]
  return facts.flatMap(([key, value]) =>
    value === null ? [] : [{ name: t(`documents:report.${key}`), value }],
  )
}

/** Returns the share of letters that were read, rounded down. */
function lettersText(t: TFunction, { drawn, missing }: NonNullable<Report['letters']>): string {
  const share = drawn === 0 ? 1 : Math.floor((1 - missing / drawn) * 10_000) / 10_000
  return t('documents:report.letters_read', {
    share: formatNumber(share, { style: 'percent', maximumFractionDigits: 2 }),
    drawn: formatNumber(drawn),
  })
}

/** Returns a warning in the person's language, with localized numbers. */
export function warningText(t: TFunction, { code, values }: Report['warnings'][number]): string {
  const count = Number(values.count ?? values.pages ?? values.rows ?? values.characters ?? 1)
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? formatNumber(value) : value,
    ]),
  )
  if (shown.encoding)
    shown.encoding = t(`documents:encoding.names.${shown.encoding}`, { defaultValue: shown.encoding })
  return t(`documents:warnings.${code}`, {
    ...shown,
    count,
    number: formatNumber(count),
    defaultValue: t('documents:warnings.other'),
  })
}
