import { useState } from 'react'
import { type Announcement, MAX_ANNOUNCEMENT } from '#shared/identity/announcements/announcements.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { AudienceChoice } from './audience-choice.tsx'
import { type Draft, draftOf, emptyDraft, wishOf } from './draft.ts'
import { usePublish } from './use-announcements.ts'

type AnnouncementFormProps = {
  edited: Announcement | null
  isSuper: boolean
  /** False without a mail server; null until it is known. */
  canMail: boolean | null
  onDone: () => void
}
const languages = ['en', 'fr'] as const
const tones = ['news', 'warning'] as const

/** Form for the text, audience and period of an announcement. */
export function AnnouncementForm({ edited, isSuper, canMail, onDone }: AnnouncementFormProps) {
  const { t } = useTranslation('admin')
  const [draft, setDraft] = useState<Draft>(() => (edited ? draftOf(edited) : emptyDraft(Date.now())))
  const [isChecked, setChecked] = useState(false)
  const publishing = usePublish(edited?.id ?? null, onDone)
  const change = (more: Partial<Draft>) => setDraft({ ...draft, ...more })
  const wish = wishOf(draft)
  const isFor = isSuper || draft.audience.company_ids.length + draft.audience.group_ids.length > 0
  return (
    <form
      className="grid content-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (wish && isFor) publishing.mutate(wish)
      }}
    >
      {languages.map((language) => {
        const text = draft[`text_${language}`]
        const length = `${formatNumber(text.length)} / ${MAX_ANNOUNCEMENT}`
        return (
          <Field
            key={language}
            label={t(`announcements.text.${language}`)}
            aside={<span className="num text-12 text-ink-3">{length}</span>}
            hint={language === 'en' ? t('announcements.text_hint') : undefined}
          >
            <Textarea
              rows={2}
              lang={language}
              maxLength={MAX_ANNOUNCEMENT}
              value={text}
              onChange={({ target }) => change({ [`text_${language}`]: target.value })}
            />
          </Field>
        )
      })}
      <Field label={t('announcements.kind')}>
        <Select
          value={draft.tone}
          options={tones.map((value) => ({ value, label: t(`announcements.tone.${value}`) }))}
          onValueChange={(value) => change({ tone: tones.find((tone) => tone === value) ?? 'news' })}
        />
      </Field>
      <div className="announcement-dates">
        <Field label={t('announcements.from')} optional hint={t('announcements.from_hint')}>
          <Input
            type="datetime-local"
            value={draft.starts}
            onChange={({ target }) => change({ starts: target.value })}
          />
        </Field>
        <Field label={t('announcements.until')}>
          <Input
            type="datetime-local"
            value={draft.ends}
            onChange={({ target }) => change({ ends: target.value })}
          />
        </Field>
      </div>
      <AudienceChoice
        audience={draft.audience}
        isSuper={isSuper}
        onChange={(audience) => change({ audience })}
      />
      <Field label={t('announcements.link')} optional>
        <Input
          type="url"
          maxLength={2_000}
          placeholder="https://"
          value={draft.link}
          onChange={({ target }) => change({ link: target.value })}
        />
      </Field>
      <div className="grid gap-1">
        <Checkbox
          label={t('announcements.by_mail')}
          checked={draft.by_mail}
          disabled={!canMail && !draft.by_mail}
          onCheckedChange={(by_mail) => change({ by_mail })}
        />
        <p className="text-12 text-ink-3">
          {t(`announcements.${canMail === false ? 'no_mail' : 'by_mail_hint'}`)}
        </p>
      </div>
      {isChecked && (!wish || !isFor) && (
        <Callout tone="danger">{t(wish ? 'announcements.choose' : 'announcements.wrong')}</Callout>
      )}
      {publishing.isError && (
        <Callout tone="danger" title={t('announcements.failed')}>
          {errorText(t, publishing.error)}
        </Callout>
      )}
      <div className="flex justify-end gap-2">
        {edited && (
          <Button variant="ghost" onClick={onDone}>
            {t('announcements.discard')}
          </Button>
        )}
        <Button type="submit" variant="primary" busy={publishing.isPending}>
          {t(edited ? 'administration.save' : 'announcements.publish')}
        </Button>
      </div>
    </form>
  )
}
