import { CircleHelp } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { type DoubtedSentence, useCited } from './cited.ts'
import { useFloating } from './use-floating.ts'

const DoubtCard = lazy(() => import('./doubt-card.tsx'))

/** A part of a sentence that its passages do not support, with an explanation at its end. */
export function DoubtMark({
  index,
  isEnd,
  children,
}: {
  index: number
  isEnd: boolean
  children: ReactNode
}) {
  const sentence = useCited().doubts[index]
  if (!sentence) return children
  return (
    <>
      <span className="doubt">{children}</span>
      {isEnd && <DoubtNote sentence={sentence} />}
    </>
  )
}

function DoubtNote({ sentence }: { sentence: DoubtedSentence }) {
  const { t } = useTranslation('streaming_blocks')
  const button = useRef<HTMLButtonElement>(null)
  const { root, isOpen, setOpen, events } = useFloating()
  return (
    <span ref={root} className="cite-root" {...events}>
      {'\u00a0'}
      <button
        ref={button}
        type="button"
        className="doubt-note"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <CircleHelp aria-hidden />
        {t(`doubt.${wordOf(sentence)}_short`)}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <DoubtCard sentence={sentence} anchor={button} />
        </Suspense>
      )}
    </span>
  )
}

const WORDS = ['uncited', 'unsupported', 'contradicted', 'numbers'] as const
const wordOf = ({ kinds }: DoubtedSentence) => WORDS.find((kind) => kinds.includes(kind)) ?? 'numbers'
