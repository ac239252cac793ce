import type { ReactNode } from 'react'
import { formatNumber } from '../../platform/i18n/format.ts'

type AdminHeadProps = {
  title: string
  /** Number of items; undefined until known. */
  count?: number | undefined
  /** A short fact next to the title. */
  about?: ReactNode
  /** Content at the right end. */
  children?: ReactNode
}

/** Header of an administration page. */
export function AdminHead({ title, count, about, children }: AdminHeadProps) {
  return (
    <div className="admin-head">
      <h2>{title}</h2>
      {count !== undefined && <span className="num text-14 text-ink-3">{formatNumber(count)}</span>}
      {about !== undefined && <span className="admin-about num">{about}</span>}
      <span className="flex-1" />
      {children}
    </div>
  )
}
