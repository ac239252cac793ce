import { ImageOff } from 'lucide-react'
import type { KeptMail } from '#shared/knowledge/documents/kept-files.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { formatDate, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { EmptyState } from '../../web/platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../web/platform/ui/states/skeleton.tsx'
import { InnerDocument, useInnerDocuments } from '../inner-documents.tsx'
import { useKeptFile } from '../kept-file.ts'
import type { MadeViewProps } from '../viewer.ts'
import { MailPage } from './mail-page.tsx'
import { MailText } from './mail-text.tsx'

/** Shows a mail: sender, recipients, attachments and content. */
export default function MailView({ document, chunk, linkTo }: MadeViewProps) {
  const { t } = useTranslation('documents')
  const { data: mail, isError, refetch } = useKeptFile<KeptMail>(document, 'mail.json')
  if (isError)
    return (
      <EmptyState
        title={t('viewer.mail_failed')}
        action={<Button onClick={() => void refetch()}>{t('common:actions.retry')}</Button>}
      />
    )
  if (!mail)
    return <Skeletons className="column grid gap-3 py-8" sizes={['h-7 w-96', 'h-16', 'h-64 w-full']} />
  const passage = chunk?.text ?? null
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <article className="column py-6">
        <h2 className="text-22 leading-7 font-semibold tracking-[-0.02em] break-words">
          {mail.subject || t('viewer.mail.no_subject')}
        </h2>
        <Head mail={mail} />
        {mail.attachments.length > 0 && <Attachments document={document} mail={mail} linkTo={linkTo} />}
        {mail.remote_pictures > 0 && (
          <p className="mt-4 flex items-center gap-2 text-13 text-ink-2">
            <ImageOff aria-hidden className="icon flex-none" />
            {t('viewer.mail.remote', { count: mail.remote_pictures })}
          </p>
        )}
        <div className="mt-5">
          {mail.html ? (
            <MailPage html={mail.html} name={mail.subject || document.name} passage={passage} />
          ) : (
            <MailText text={mail.text} passage={passage} />
          )}
        </div>
      </article>
    </div>
  )
}

function Head({ mail }: { mail: KeptMail }) {
  const { t } = useTranslation('documents')
  const lines = [
    ['from', mail.from],
    ['to', mail.to],
    ['cc', mail.cc],
    ['date', mail.date && formatDate(mail.date, { dateStyle: 'full', timeStyle: 'short' })],
  ] as const
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 border-b border-line pb-4 text-13">
      {lines
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{t(`viewer.mail.${name}`)}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function Attachments({ document, mail, linkTo }: { mail: KeptMail } & Omit<MadeViewProps, 'chunk'>) {
  const { t } = useTranslation('documents')
  const { data } = useInnerDocuments(document)
  const found = data?.pages.flatMap(({ items }) => items) ?? []
  const placeOf = (name: string) => mail.attachments.indexOf(name)
  return (
    <section aria-label={t('viewer.mail.attachments')} className="mt-4">
      <h3 className="text-13 font-medium">
        {t('viewer.mail.attachments')}{' '}
        <span className="font-regular text-ink-2">
          {t('viewer.mail.attached', { count: mail.attachments.length })}
        </span>
      </h3>
      <ul className="mt-2 grid gap-2 sm:grid-cols-2">
        {found
          .toSorted((one, other) => placeOf(one.name) - placeOf(other.name))
          .map((one) => (
            <li key={one.id} className="min-w-0">
              <InnerDocument document={one} linkTo={linkTo} />
            </li>
          ))}
      </ul>
    </section>
  )
}
