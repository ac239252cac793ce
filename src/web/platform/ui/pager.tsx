import { Button } from './button.tsx'

type Props = {
  /** Counted from 1. */
  page: number
  hasMore: boolean
  onPage: (page: number) => void
  /** Labels of the buttons to the page before and the page after. */
  before: string
  after: string
}

/** Buttons to the page before and after; nothing for a list of one page. */
export function Pager({ page, hasMore, onPage, before, after }: Props) {
  if (page === 1 && !hasMore) return null
  return (
    <div className="flex justify-center gap-2">
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        {before}
      </Button>
      <Button disabled={!hasMore} onClick={() => onPage(page + 1)}>
        {after}
      </Button>
    </div>
  )
}
