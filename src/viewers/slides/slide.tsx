import clsx from 'clsx'
import type { DocumentPart, Element } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'

/** Shows a slide as a card: title, content and speaker notes. */
export function Slide({ part, passage }: { part: DocumentPart; passage: string | null }) {
  const { t } = useTranslation('documents')
  const asides = part.elements.filter(isAside)
  const shown = part.elements.filter((element) => !isAside(element))
  const isEmpty = part.elements.length === 0
  return (
    <li
      data-slide={part.number}
      aria-label={t('viewer.slides.slide', { number: part.number })}
      className="slide-card rounded-card border border-line bg-bg px-6 py-5 max-md:px-4"
    >
      <p className="num text-12 text-ink-3">{t('viewer.slides.slide', { number: part.number })}</p>
      {isEmpty && <p className="mt-2 text-13 text-ink-2">{t('viewer.slides.empty')}</p>}
      <div className="mt-2 grid gap-2">
        {shown.map((element) => (
          <Piece key={element.element_id} element={element} isMarked={isIn(element, passage)} />
        ))}
      </div>
      {asides.length > 0 && (
        <section className="mt-4 border-t border-line pt-3">
          <h4 className="text-12 font-medium text-ink-2">{t('viewer.slides.notes')}</h4>
          {asides.map((element) => (
            <p
              key={element.element_id}
              data-passage={isIn(element, passage) || undefined}
              className={clsx(
                'mt-1 text-13 whitespace-pre-wrap text-ink-2',
                isIn(element, passage) && marked,
              )}
            >
              {element.text}
            </p>
          ))}
        </section>
      )}
    </li>
  )
}

function Piece({ element, isMarked }: { element: Element; isMarked: boolean }) {
  const { type, text, metadata } = element
  const look = clsx('break-words whitespace-pre-wrap', isMarked && marked)
  const given = { 'data-passage': isMarked || undefined }
  if (type === 'Title')
    return (
      <h3 {...given} className={clsx(look, 'text-18 font-semibold')}>
        {text}
      </h3>
    )
  if (type === 'Table')
    return (
      <div {...given} className={clsx('overflow-x-auto', isMarked && marked)}>
        <table className="text-13">
          <tbody>
            {text.split('\n').map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table never move.
              <tr key={at}>
                {row.split('\t').map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: nor do its columns.
                  <td key={column} className="border border-line px-2 py-1">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  if (type === 'ListItem')
    return (
      <p
        {...given}
        style={{ paddingLeft: `${((metadata.element_metadata.level ?? 0) + 1) * 18}px` }}
        className={clsx(look, 'relative before:absolute before:-ml-3.5 before:content-["•"]')}
      >
        {text}
      </p>
    )
  return (
    <p {...given} className={clsx(look, (type === 'Header' || type === 'Footer') && 'text-12 text-ink-3')}>
      {text}
    </p>
  )
}

const marked = '-mx-2 border-l-2 border-accent bg-accent-soft px-2 py-0.5'

/** Returns true for speaker notes. */
function isAside({ metadata }: Element): boolean {
  const extra = metadata.element_metadata.extra ?? {}
  return extra.notes === true || extra.comment === true
}

const isIn = ({ text }: Element, passage: string | null) =>
  passage !== null && text.trim() !== '' && passage.includes(text.trim())
