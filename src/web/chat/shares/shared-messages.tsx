import { useMemo } from 'react'
import { readSharedFile, type SharedMessage, type SharedSource } from '#shared/chat/shares/shares.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { urlOf } from '../../platform/lib/api/call.ts'
import { Markdown } from '../../platform/markdown/markdown.tsx'

type SharedMessagesProps = { token: string; messages: SharedMessage[] }

/** Questions and answers, with the sources of each answer's numbers. */
export function SharedMessages({ token, messages }: SharedMessagesProps) {
  return messages.map((message, at) =>
    message.is_person ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a link never change.
      <Question key={at} message={message} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a link never change.
      <Answer key={at} token={token} anchor={`source-${at}`} message={message} />
    ),
  )
}

function Question({ message }: { message: SharedMessage }) {
  const [part] = message.parts
  return (
    <article aria-label={message.author} className="my-6 flex justify-end">
      <div
        dir="auto"
        className="max-w-[600px] rounded-bubble bg-surface-2 px-4 py-2.5 text-16 leading-[1.55] tracking-[-0.011em] wrap-anywhere whitespace-pre-wrap max-md:max-w-[88%]"
      >
        {part?.kind === 'text' ? part.text : null}
      </div>
    </article>
  )
}

type AnswerProps = { token: string; anchor: string; message: SharedMessage }

function Answer({ token, anchor, message }: AnswerProps) {
  const Citation = useMemo(() => numbersOf(message.sources, anchor), [message, anchor])
  return (
    <article aria-label={message.author} className="my-6">
      {message.parts.map((part, at) => {
        const key = `${at}`
        switch (part.kind) {
          case 'text':
            return <Markdown key={key} text={part.text} Citation={Citation} />
          case 'picture':
            return (
              <img
                key={key}
                src={part.url}
                alt={part.alt}
                loading="lazy"
                className="max-w-full rounded-card"
              />
            )
          case 'steps':
            return (
              <p key={key} className="text-13 whitespace-pre-wrap text-ink-3">
                {part.lines.join('\n')}
              </p>
            )
          case 'notice':
            return (
              <p key={key} className="text-13 text-ink-3">
                {part.text}
              </p>
            )
          default:
            return part satisfies never
        }
      })}
      {message.sources.length > 0 && <Sources {...{ token, anchor }} sources={message.sources} />}
    </article>
  )
}

/** Links a number to its source below the answer. */
function numbersOf(sources: SharedSource[], anchor: string) {
  const known = new Map(sources.map((source) => [source.id, source]))
  return function SharedCitation({ id, number }: { id: string; number: number }) {
    const { t } = useTranslation('exports')
    const source = known.get(id)
    if (!source) return <span className="cite">{number}</span>
    const name = t('shared.source', { number, title: source.title })
    return (
      <a href={`#${anchor}-${number}`} aria-label={name} className="cite">
        {number}
      </a>
    )
  }
}

function Sources({ token, anchor, sources }: { token: string; anchor: string; sources: SharedSource[] }) {
  const { t } = useTranslation('exports')
  return (
    <section className="mt-5">
      <h2 className="mb-1 text-13 font-semibold">{t('shared.sources')}</h2>
      <ol>
        {sources.map(({ number, title, place, url, quote, file }) => (
          <li
            key={number}
            id={`${anchor}-${number}`}
            className="flex items-start gap-3 border-t border-line py-3 text-13"
          >
            <span className="cite">{number}</span>
            <div className="min-w-0 flex-1">
              <p className="font-medium wrap-anywhere">
                {url ? (
                  <a href={url} rel="noreferrer noopener" target="_blank">
                    {title}
                  </a>
                ) : (
                  title
                )}
                {place && <span className="text-ink-2">, {place}</span>}
              </p>
              {quote && <p className="mt-1 text-ink-2 wrap-anywhere">{t('shared.quote', { text: quote })}</p>}
            </div>
            {url === null &&
              (file === null ? (
                <span className="text-12 text-ink-3">{t('shared.not_shared')}</span>
              ) : (
                <a href={urlOf(readSharedFile, { params: { token, place: file } })} download>
                  {t('list.download_short')}
                </a>
              ))}
          </li>
        ))}
      </ol>
    </section>
  )
}
