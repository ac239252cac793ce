import { X } from 'lucide-react'
import type { ConnectorReader, ConnectorRights } from '#shared/knowledge/connectors/connectors.ts'
import type { Source } from '#shared/knowledge/connectors/sources.ts'
import { RecipientSearch } from '../../../identity/sharing/sharing.tsx'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Radio } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { nameOfSource } from '../connector-words.ts'
import { type AccessDraft, intervalsFor, type NamedReader } from './connector-draft.ts'

type Props = {
  source: Source
  company: { id: string; name: string } | null
  access: AccessDraft
  /** The rights of an existing connector stay. */
  hasFixedRights?: boolean
  onChange: (access: AccessDraft) => void
}

/** The readers of a connector, and how often it syncs. */
export function AccessFields({ source, company, access, hasFixedRights = false, onChange }: Props) {
  const { t } = useTranslation('connectors')
  const { rights, readers, every_minutes } = access
  const setRights = (next: ConnectorRights) => {
    const last = intervalsFor(next, 0).at(-1) ?? every_minutes
    onChange({ ...access, rights: next, every_minutes: Math.min(every_minutes, last) })
  }
  return (
    <>
      <section aria-label={t('rights.title')} className="grid gap-2">
        <h3 className="text-13 font-semibold">{t('rights.title')}</h3>
        {company === null && <p className="text-13 text-ink-2">{t('rights.only_you')}</p>}
        {company && source.mirrors_rights && (
          <RightsChoice source={source} rights={rights} isFixed={hasFixedRights} onChange={setRights} />
        )}
        {company && (
          <Readers
            company={company}
            readers={readers}
            onChange={(next) => onChange({ ...access, readers: next })}
          />
        )}
      </section>
      <Field label={t('every.label')}>
        <Select
          value={String(every_minutes)}
          options={intervalsFor(rights, every_minutes).map((minutes) => ({
            value: String(minutes),
            label: intervalText(t, minutes),
          }))}
          onValueChange={(next) => onChange({ ...access, every_minutes: Number(next) })}
        />
      </Field>
    </>
  )
}

function intervalText(t: ReturnType<typeof useTranslation<'connectors'>>['t'], minutes: number): string {
  if (minutes % 1440 === 0) return t('every.days', { count: minutes / 1440 })
  if (minutes % 60 === 0) return t('every.hours', { count: minutes / 60 })
  return t('every.minutes', { count: minutes })
}

type RightsProps = {
  source: Source
  rights: ConnectorRights
  isFixed: boolean
  onChange: (rights: ConnectorRights) => void
}

function RightsChoice({ source, rights, isFixed, onChange }: RightsProps) {
  const { t } = useTranslation('connectors')
  const names = {
    mirrored: t('rights.mirrored', { source: nameOfSource(t, source.id) }),
    named: t('rights.named'),
  }
  return (
    <fieldset aria-label={t('rights.title')} disabled={isFixed} className="grid gap-2">
      {(['mirrored', 'named'] as const).map((one) => (
        <label
          key={one}
          className="flex cursor-pointer items-start gap-3 rounded-card border border-line p-3 has-checked:border-accent has-disabled:cursor-default"
        >
          <Radio name="rights" className="mt-0.5" checked={rights === one} onChange={() => onChange(one)} />
          <span className="min-w-0">
            <span className="block text-13 font-medium">{names[one]}</span>
            <span className="block text-12 text-ink-2">{t(`rights.${one}_text`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type ReadersProps = {
  company: { id: string; name: string }
  readers: readonly NamedReader[]
  onChange: (readers: NamedReader[]) => void
}

const isSame = (one: ConnectorReader, { kind, id }: ConnectorReader) => one.kind === kind && one.id === id

/** Companies, groups and people among the readers. */
function Readers({ company, readers, onChange }: ReadersProps) {
  const { t } = useTranslation('connectors')
  const nameOf = ({ kind, name }: NamedReader) =>
    kind === 'company'
      ? t('rights.everybody', { company: name ?? company.name })
      : (name ?? t(`rights.${kind}`))
  return (
    <>
      <ul aria-label={t('rights.readers')} className="flex flex-wrap gap-1.5">
        {readers.map((reader) => (
          <li
            key={`${reader.kind}${reader.id}`}
            className="inline-flex max-w-full items-center gap-1 rounded-pill bg-surface-2 pr-1 pl-2.5 text-13"
          >
            <span dir="auto" className="truncate">
              {nameOf(reader)}
            </span>
            <IconButton
              size="xs"
              name={t('rights.leave_out', { name: nameOf(reader) })}
              onClick={() => onChange(readers.filter((one) => !isSame(one, reader)))}
            >
              <X aria-hidden className="icon-12" />
            </IconButton>
          </li>
        ))}
        {readers.length === 0 && <li className="text-13 text-warning">{t('rights.nobody')}</li>}
      </ul>
      <RecipientSearch
        shares={readers.map(({ kind, id }) => ({ who: kind, recipient_id: id }))}
        kinds={['company', 'group', 'person']}
        label={t('rights.find')}
        onChoose={(recipient, found) => {
          if (recipient.who === 'everybody' || recipient.who === 'project') return
          if (recipient.who === 'company' && recipient.id !== company.id) return
          onChange([...readers, { kind: recipient.who, id: recipient.id, name: found.name }])
        }}
      />
    </>
  )
}
