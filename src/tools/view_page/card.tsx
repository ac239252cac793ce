import { ScanEye } from 'lucide-react'
import { Suspense } from 'react'
import { DocumentCarousel } from '../../web/platform/citations/citations.ts'
import { type CardBodyProps, type ToolCardParts, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'

const card: ToolCardParts = {
  Icon: ScanEye,
  summarise: (input) => {
    const { document, page } = readInput(input)
    return page === '' ? document : `${document} · ${page}`
  },
  remedy: () => 'edit',
  Body: Page,
}

export default card

function Page({ status, input, result }: CardBodyProps) {
  const { t } = useTranslation('tool_ui')
  const shown = status === 'done' ? readResult(result) : null
  if (!shown) {
    const { document, page } = readInput(input)
    return <p className="text-13 text-ink-2">{t('view_page.page_of', { page, document })}</p>
  }
  const { id, name, page, pages } = shown
  return (
    <div className="grid gap-3 text-13">
      <p className="num text-ink-2">
        {pages === null
          ? t('view_page.page_of', { page, document: name })
          : t('view_page.page_of_all', { page, pages, document: name })}
      </p>
      <Suspense fallback={<Skeleton className="h-[92px] rounded-card" />}>
        <DocumentCarousel documents={[{ id, name }]} numbers={noNumbers} />
      </Suspense>
    </div>
  )
}

const noNumbers = new Map<string, number>()

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function readInput(input: unknown) {
  const { document, page } = record(input)
  return { document: String(document ?? ''), page: String(page ?? '') }
}

function readResult(result: unknown) {
  const { document_id, document_name, page, pages } = record(result)
  if (typeof document_id !== 'string') return null
  return {
    ...{ id: document_id, name: String(document_name ?? '') },
    ...{ page: Number(page), pages: typeof pages === 'number' ? pages : null },
  }
}
