import clsx from 'clsx'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { ProjectLook, projectColours, projectIcons } from '../looks.tsx'
import type { ProjectDraft } from './project-draft.ts'

type Look = Pick<ProjectDraft, 'colour' | 'icon'>
type LookFieldsProps = Look & { onChange: (look: Partial<Look>) => void }

/** Chooses the colour and the icon of a project. */
export function LookFields({ colour, icon, onChange }: LookFieldsProps) {
  const { t } = useTranslation('projects')
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-4">
      <fieldset>
        <legend className="pb-1.5 text-13 font-medium">{t('settings.colour')}</legend>
        <span className="flex flex-wrap gap-1">
          {projectColours.map((one) => (
            <LookButton
              key={one}
              name={t(`colours.${one}`)}
              isOn={one === colour}
              look={{ colour: one, icon }}
              onClick={() => onChange({ colour: one })}
            />
          ))}
        </span>
      </fieldset>
      <fieldset>
        <legend className="pb-1.5 text-13 font-medium">{t('settings.icon')}</legend>
        <span className="flex flex-wrap gap-1">
          {projectIcons.map((one) => (
            <LookButton
              key={one}
              name={t(`icons.${one}`)}
              isOn={one === icon}
              look={{ colour, icon: one }}
              onClick={() => onChange({ icon: one })}
            />
          ))}
        </span>
      </fieldset>
    </div>
  )
}

type LookButtonProps = { name: string; isOn: boolean; look: Look; onClick: () => void }

function LookButton({ name, isOn, look, onClick }: LookButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      data-tip={name}
      aria-pressed={isOn}
      className={clsx(
        'grid size-8 place-items-center rounded-control hover-motion hover:bg-surface-2 max-md:size-11',
        isOn && 'bg-surface-2 ring-1 ring-line-strong ring-inset',
      )}
      onClick={onClick}
    >
      <ProjectLook {...look} />
    </button>
  )
}
