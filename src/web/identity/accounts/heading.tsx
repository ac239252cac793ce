import type { ReactNode } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'

/** Heading of a login page with the sentence below it. */
export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  const { t } = useTranslation('common')
  return (
    <>
      <title>{`${title} · ${t('app_name')}`}</title>
      <h1 data-view-title tabIndex={-1} className="mb-1 text-22 font-semibold tracking-[-0.02em]">
        {title}
      </h1>
      <p className="mb-5.5 text-ink-2">{children}</p>
    </>
  )
}

/** Classes of a link inside a sentence. */
export const textLink = 'rounded-tag font-medium text-accent hover:underline'
