import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { languageNames } from '../../platform/i18n/language.ts'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { Input, Textarea } from '../../platform/ui/input.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { Choices } from './choices.tsx'
import type { ColumnWidth } from './column-width.ts'
import { EmailSetting } from './email-setting.tsx'
import { PictureSetting } from './picture-setting.tsx'
import {
  BIO_MAX,
  countChanges,
  draftOf,
  EXAMPLES_MAX,
  NAME_MAX,
  type PreferencesDraft,
} from './preferences-draft.ts'
import { SaveBar } from './save-bar.tsx'
import { Setting } from './setting.tsx'
import { StyleExamples } from './style-examples.tsx'
import { ThemeSetting } from './theme-setting.tsx'
import { useSavePreferences } from './use-save-preferences.ts'

type PreferencesTabProps = {
  user: User
  edits: Partial<PreferencesDraft>
  onEdits: (edits: Partial<PreferencesDraft>) => void
}

/** Language, appearance, and what assistants should know about the user. */
export function PreferencesTab({ user, edits, onEdits }: PreferencesTabProps) {
  const { t, i18n } = useTranslation('common')
  const draft = { ...draftOf(user), ...edits }
  const changes = countChanges(draft, user)
  const saving = useSavePreferences(user, () => onEdits({}))
  const edit = (more: Partial<PreferencesDraft>) => onEdits({ ...edits, ...more })
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <>
      <div>
        <Setting title={t('user.picture.title')} reason={t('user.picture.reason')}>
          <PictureSetting user={user} />
        </Setting>
        <Setting title={t('user.name.title')} reason={t('user.name.reason')}>
          <Input
            aria-label={t('user.name.title')}
            autoComplete="name"
            maxLength={NAME_MAX}
            placeholder={user.username}
            className="max-w-90"
            value={draft.name}
            onChange={(event) => edit({ name: event.target.value })}
          />
        </Setting>
        <Setting title={t('user.email.title')} reason={t('user.email.reason')}>
          <EmailSetting user={user} />
        </Setting>
        <Setting tour="language" title={t('user.language.title')} reason={t('user.language.reason')}>
          <Select
            aria-label={t('user.language.title')}
            className="max-w-70"
            value={draft.language}
            options={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
            onValueChange={(value) => edit({ language: value === 'fr' ? 'fr' : 'en' })}
          />
        </Setting>
        <ThemeSetting />
        <Setting title={t('user.width.title')} reason={t('user.width.reason')}>
          <Choices<ColumnWidth>
            name={t('user.width.title')}
            value={draft.columnWidth}
            onChange={(columnWidth) => edit({ columnWidth })}
            choices={[
              {
                value: 'normal',
                label: t('user.width.normal'),
                picture: <WidthPicture className="w-[42%]" />,
              },
              { value: 'wide', label: t('user.width.wide'), picture: <WidthPicture className="w-[72%]" /> },
            ]}
          />
        </Setting>
        <Setting title={t('user.home.title')} reason={t('user.home.reason')}>
          <Switch
            checked={draft.homePage}
            label={t('user.home.keep')}
            onCheckedChange={(homePage) => edit({ homePage })}
          />
        </Setting>
        <Setting title={t('user.memory.title')} reason={t('user.memory.reason')}>
          <Switch
            checked={draft.workingMemory}
            label={t('user.memory.keep')}
            onCheckedChange={(workingMemory) => edit({ workingMemory })}
          />
        </Setting>
        <Setting title={t('user.mails.title')} reason={t('user.mails.reason')}>
          <Switch
            checked={draft.announcementMails}
            label={t('user.mails.keep')}
            onCheckedChange={(announcementMails) => edit({ announcementMails })}
          />
        </Setting>
        <Setting tour="bio" title={t('user.bio.title')} reason={t('user.bio.reason')}>
          <Textarea
            aria-label={t('user.bio.title')}
            aria-describedby="bio-hint"
            placeholder={t('user.bio.placeholder')}
            maxLength={BIO_MAX}
            className="min-h-21 max-h-80"
            value={draft.bio}
            onChange={(event) => edit({ bio: event.target.value })}
          />
          <p id="bio-hint" className="num mt-1.5 flex justify-between gap-3 text-12 text-ink-3">
            <span>{t('user.bio.hint')}</span>
            <span>
              {number.format(draft.bio.length)} / {number.format(BIO_MAX)}
            </span>
          </p>
        </Setting>
        <Setting
          tour="style"
          title={t('user.style.title')}
          reason={t('user.style.reason', { count: EXAMPLES_MAX })}
        >
          <StyleExamples examples={draft.examples} onChange={(examples) => edit({ examples })} />
        </Setting>
      </div>
      {changes > 0 && (
        <SaveBar
          changes={changes}
          saving={saving}
          onDiscard={() => {
            saving.reset()
            onEdits({})
          }}
          onSave={() => saving.mutate(draft)}
        />
      )}
    </>
  )
}

function WidthPicture({ className }: { className: string }) {
  return (
    <span className="grid h-full place-items-center bg-bg">
      <span className={`grid gap-1.5 ${className}`}>
        {['w-full', 'w-[92%]', 'w-[60%]'].map((width) => (
          <span key={width} className={`h-1 rounded-tag bg-line-2 ${width}`} />
        ))}
      </span>
    </span>
  )
}
