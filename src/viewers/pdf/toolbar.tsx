import { ChevronLeft, ChevronRight, MoveHorizontal, PanelLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { Input } from '../../web/platform/ui/input.tsx'
import { FindBar } from '../page/find-bar.tsx'
import type { Search } from '../page/use-search.ts'
import { BarRule, ElementsSwitch, ViewerBar, ZoomButtons } from '../page/viewer-bar.tsx'
import { PDF_ZOOM } from '../page/zoom.ts'

type ToolbarProps = {
  page: number
  pages: number
  zoom: number
  search: Search
  showsThumbnails: boolean
  showsElements: boolean
  onPage: (page: number) => void
  onZoom: (zoom: number) => void
  onFit: () => void
  onShowThumbnails: (shows: boolean) => void
  onShowElements: (shows: boolean) => void
}

/** Toolbar of a PDF: page, zoom, search, thumbnails and elements. */
export function Toolbar({ page, pages, zoom, search, onPage, onZoom, onFit, ...shown }: ToolbarProps) {
  const { t } = useTranslation('documents')
  return (
    <ViewerBar>
      <IconButton
        size="sm"
        name={t('viewer.thumbnails')}
        aria-pressed={shown.showsThumbnails}
        on={shown.showsThumbnails}
        onClick={() => shown.onShowThumbnails(!shown.showsThumbnails)}
      >
        <PanelLeft aria-hidden className="icon" />
      </IconButton>
      <BarRule />
      <IconButton
        size="sm"
        name={t('viewer.page_before')}
        className="pdf-turn"
        aria-disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft aria-hidden className="icon" />
      </IconButton>
      <PageField page={page} onPage={onPage} />
      <span className="pdf-page-count num">{t('viewer.of_pages', { count: pages })}</span>
      <IconButton
        size="sm"
        name={t('viewer.page_after')}
        className="pdf-turn"
        aria-disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight aria-hidden className="icon" />
      </IconButton>
      <BarRule />
      <ZoomButtons zoom={zoom} range={PDF_ZOOM} onZoom={onZoom} />
      <IconButton size="sm" name={t('viewer.fit_width')} onClick={onFit}>
        <MoveHorizontal aria-hidden className="icon" />
      </IconButton>
      <span className="viewer-grow" />
      <FindBar search={search} />
      <BarRule />
      <ElementsSwitch checked={shown.showsElements} onChange={shown.onShowElements} />
    </ViewerBar>
  )
}

function PageField({ page, onPage }: Pick<ToolbarProps, 'page' | 'onPage'>) {
  const { t } = useTranslation('documents')
  const [text, setText] = useState(String(page))
  useEffect(() => setText(String(page)), [page])
  return (
    <form
      className="pdf-page-field"
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = Number(text)
        if (Number.isInteger(wanted) && wanted > 0) onPage(wanted)
        setText(String(page))
      }}
    >
      <Input
        quiet
        aria-label={t('viewer.page')}
        inputMode="numeric"
        value={text}
        className="num"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => setText(String(page))}
      />
    </form>
  )
}
