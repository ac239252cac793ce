import clsx from 'clsx'
import { ChevronDown, ChevronRight, ChevronsDownUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import type { Heading } from './pieces.ts'

type ContentsProps = { headings: readonly Heading[]; current: number; onPick: (heading: number) => void }

/** The outline of a document as a tree, with the visible section marked. */
export function Contents({ headings, current, onPick }: ContentsProps) {
  const { t } = useTranslation('documents')
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const list = useRef<HTMLElement>(null)
  const least = Math.min(...headings.map(({ level }) => level))
  const parents = headings.flatMap((_, at) => (hasBelow(headings, at) ? at : []))
  const fold = (at: number) =>
    setFolded((now) => new Set(now.has(at) ? [...now].filter((one) => one !== at) : [...now, at]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry that is marked moves with the section.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest' })
  }, [current])
  return (
    <nav ref={list} aria-label={t('preview.contents')} className="digitized-contents">
      <div className="digitized-contents-head">
        <span>{t('preview.contents')}</span>
        {parents.length > 0 && (
          <IconButton
            size="xs"
            name={t(folded.size > 0 ? 'preview.unfold_all' : 'preview.fold_all')}
            onClick={() => setFolded(new Set(folded.size > 0 ? [] : parents))}
          >
            <ChevronsDownUp aria-hidden className="icon-14" />
          </IconButton>
        )}
      </div>
      {visible(headings, folded).map((at) => {
        const { text, level } = headings[at]!
        const isFolded = folded.has(at)
        const Chevron = isFolded ? ChevronRight : ChevronDown
        return (
          <div
            key={at}
            className={clsx('digitized-entry', at === current && 'digitized-current')}
            style={{ '--level': level - least } as React.CSSProperties}
          >
            {hasBelow(headings, at) ? (
              <button
                type="button"
                aria-expanded={!isFolded}
                aria-label={t('preview.fold', { name: text })}
                onClick={() => fold(at)}
              >
                <Chevron aria-hidden className="icon-12" />
              </button>
            ) : (
              <span />
            )}
            <button
              type="button"
              aria-current={at === current ? 'location' : undefined}
              onClick={() => onPick(at)}
            >
              {text}
            </button>
          </div>
        )
      })}
    </nav>
  )
}

const hasBelow = (headings: readonly Heading[], at: number) =>
  (headings[at + 1]?.level ?? 0) > headings[at]!.level

/** Returns the indexes of headings that are not below a collapsed one. */
function visible(headings: readonly Heading[], folded: ReadonlySet<number>): number[] {
  let hidden = Number.POSITIVE_INFINITY
  return headings.flatMap(({ level }, at) => {
    if (level > hidden) return []
    hidden = folded.has(at) ? level : Number.POSITIVE_INFINITY
    return at
  })
}
