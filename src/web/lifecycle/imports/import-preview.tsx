import { useState } from 'react'
import type { Import } from '#shared/lifecycle/imports/imports.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate, formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { Figures } from './import-figures.tsx'
import { ImportProblems } from './import-problems.tsx'
import { StepHead } from './import-steps.tsx'
import { useImportActions } from './use-imports.ts'

/** The contents of an export, before anything is imported. */
export function ImportPreview({ one }: { one: Import }) {
  const { t } = useTranslation('imports')
  const { starting, removing, error } = useImportActions(one.id)
  const [withAssistants, setWithAssistants] = useState(true)
  const { preview, format } = one
  if (!preview || !format) return null
  const known = preview.chats - preview.new_chats
  const { first_at, last_at } = preview
  const text = t('preview.text', {
    name: one.name,
    size: sizeText(t, one.size),
    product: t(`format.${format}`),
  })
  const files = t('figures.files', { count: preview.files })
  return (
    <>
      <StepHead step="preview" title={t('preview.title')} text={text} />
      <Figures
        items={[
          [preview.chats, t('figures.chats', { count: preview.chats })],
          [preview.branched, t('figures.branched', { count: preview.branched })],
          [preview.messages, t('figures.messages', { count: preview.messages })],
          [preview.files, preview.files > 0 ? `${files}, ${sizeText(t, preview.file_bytes)}` : files],
        ]}
        range={
          first_at && last_at
            ? { from: month(first_at), to: t('preview.until', { date: month(last_at) }) }
            : null
        }
      />
      <ul className="mt-4 divide-y divide-line rounded-card border border-line">
        <Row
          title={t('preview.new', { count: preview.new_chats, number: formatNumber(preview.new_chats) })}
        />
        {known > 0 && <Row title={t('preview.known', { count: known })} text={t('preview.known_text')} />}
        {preview.archived > 0 && (
          <Row title={t('preview.archived', { count: preview.archived })} text={t('preview.archived_text')} />
        )}
        {preview.assistants > 0 && (
          <li className="flex min-h-14 items-center gap-3 px-4 py-2.5">
            <span className="min-w-0 flex-1">
              <span className="block text-14 font-medium">
                {t('preview.assistants', { count: preview.assistants })}
              </span>
              <span className="block text-12 text-ink-3">{t('preview.assistants_text')}</span>
            </span>
            <Switch
              checked={withAssistants}
              onCheckedChange={setWithAssistants}
              aria-label={t('preview.with_assistants')}
            />
          </li>
        )}
        {preview.prompts > 0 && <Row title={t('preview.prompts', { count: preview.prompts })} />}
        {preview.projects > 0 && (
          <Row title={t('preview.projects', { count: preview.projects })} text={t('preview.projects_text')} />
        )}
        {preview.facts > 0 && (
          <Row title={t('preview.facts', { count: preview.facts })} text={t('preview.facts_text')} />
        )}
        {preview.schedules > 0 && (
          <Row
            title={t('preview.schedules', { count: preview.schedules })}
            text={t('preview.schedules_text')}
          />
        )}
      </ul>
      <ImportProblems one={one} />
      {error && (
        <Callout tone="danger" className="mt-4">
          {errorText(t, error)}
        </Callout>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-end gap-2">
        <Button variant="ghost" size="lg" busy={removing.isPending} onClick={() => removing.mutate()}>
          {t('preview.discard')}
        </Button>
        <Button
          variant="primary"
          size="lg"
          busy={starting.isPending}
          onClick={() => starting.mutate({ with_assistants: withAssistants })}
        >
          {t('preview.start', { count: preview.chats, number: formatNumber(preview.chats) })}
        </Button>
      </div>
    </>
  )
}

const month = (iso: string) => formatDate(iso, { month: 'short', year: 'numeric' })

function Row({ title, text }: { title: string; text?: string }) {
  return (
    <li className="min-h-12 content-center px-4 py-2.5">
      <span className="block text-14 font-medium">{title}</span>
      {text && <span className="block text-12 text-ink-3">{text}</span>}
    </li>
  )
}
