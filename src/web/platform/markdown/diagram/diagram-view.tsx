import { Code, Workflow } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { CodeBlock } from '#shared/platform/markdown/tree.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { useDark } from '../../lib/theme.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { BlockActions } from '../block-actions.tsx'
import { CodeBody } from '../code/code-view.tsx'
import { type Drawing, drawDiagram } from './draw-diagram.ts'

/** A diagram, rendered once its code is complete. The code is one click away, and shown if it cannot be rendered. */
export function DiagramView({ block, growing }: { block: CodeBlock; growing: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const isOpen = block.open && growing
  const drawing = useDrawing(block.text, isOpen)
  const [showsCode, setShowsCode] = useState(false)
  const hasFailed = drawing === 'failed'
  const name = t('markdown.diagram')
  const content = () =>
    showsCode || hasFailed ? (
      <CodeBody text={block.text} name={block.lang} open={isOpen} />
    ) : (
      <Picture drawing={drawing} name={name} />
    )
  return (
    <figure className="md-block">
      <figcaption className="md-head">
        <span className="md-head-name">{name}</span>
        {!hasFailed && (
          <IconButton
            name={t(showsCode ? 'markdown.show_diagram' : 'markdown.show_code')}
            size="sm"
            onClick={() => setShowsCode(!showsCode)}
          >
            {showsCode ? <Workflow aria-hidden className="icon" /> : <Code aria-hidden className="icon" />}
          </IconButton>
        )}
        <BlockActions title={name} read={() => block.text} block={block}>
          {content}
        </BlockActions>
      </figcaption>
      {hasFailed && (
        <p role="status" className="border-b border-line px-3.5 py-2 text-13 text-ink-2">
          {t('markdown.diagram_failed')}
        </p>
      )}
      {content()}
    </figure>
  )
}

/** The picture in its own size, scaled down to the available width. */
function Picture({ drawing, name }: { drawing: Drawing | null; name: string }) {
  const { t } = useTranslation('streaming_blocks')
  if (!drawing)
    return (
      <div role="status" className="p-3.5">
        <span className="sr-only">{t('markdown.diagram_drawing')}</span>
        <div aria-hidden className="h-48 animate-pulse rounded-card bg-surface-2" />
      </div>
    )
  return (
    <div className="flex justify-center overflow-x-auto p-3.5">
      <img
        src={drawing.src}
        width={drawing.width}
        height={drawing.height}
        alt={name}
        className="h-auto max-w-full"
      />
    </div>
  )
}

/** Returns the drawing of complete code in the theme's colours; null until it is available. */
function useDrawing(code: string, isOpen: boolean): Drawing | 'failed' | null {
  const isDark = useDark()
  const [drawn, setDrawn] = useState<Drawing | 'failed' | null>(null)
  useEffect(() => {
    if (isOpen) return
    let isCurrent = true
    const show = (drawing: Drawing | 'failed') => {
      if (isCurrent) setDrawn(drawing)
    }
    drawDiagram(code, isDark).then(show, () => show('failed'))
    return () => {
      isCurrent = false
    }
  }, [code, isDark, isOpen])
  return drawn
}
