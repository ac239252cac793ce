import { Menu } from '@base-ui/react/menu'
import { useLocation } from '@tanstack/react-router'
import { Circle, CircleCheck, CircleHelp, Lock } from 'lucide-react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isOpenTo } from '../../platform/lib/me/me.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { isCompleted } from './progress.ts'
import { tagColour } from './tours/tags.ts'
import { canStart, type Tour, type TourKey, toursIn } from './tours/tours.ts'

type HelpButtonProps = { me: User; onTour: (key: TourKey) => void }

/** Opens the list of tours by category, each with a description and whether it is completed. */
export function HelpButton({ me, onTour }: HelpButtonProps) {
  const { t } = useTranslation('onboarding')
  const tours = toursIn(t).filter(({ needs = [] }) => needs.every((name) => isOpenTo(me, name)))
  const done = tours.filter(({ key }) => isCompleted(me, key)).length
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        render={
          <IconButton name={t('help.open')} data-help size="lg" variant="lined" className="help-button">
            <CircleHelp aria-hidden className="icon" />
          </IconButton>
        }
      />
      <Menu.Portal>
        <Menu.Positioner side="top" align="end" sideOffset={8} collisionPadding={8} className="help-place">
          <Menu.Popup aria-label={t('help.title')} className="pop-motion help-menu">
            <div className="help-head">
              <span>{t('help.title')}</span>
              <span className="num">{t('help.done', { count: done, total: tours.length })}</span>
            </div>
            {[...Map.groupBy(tours, ({ category }) => category)].map(([category, group]) => (
              <Menu.Group key={category}>
                <Menu.GroupLabel className="help-category">{category}</Menu.GroupLabel>
                {group.map((tour) => (
                  <Item
                    key={tour.key}
                    tour={tour}
                    isDone={isCompleted(me, tour.key)}
                    onChoose={() => onTour(tour.key)}
                  />
                ))}
              </Menu.Group>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

type ItemProps = { tour: Tour; isDone: boolean; onChoose: () => void }

function Item({ tour, isDone, onChoose }: ItemProps) {
  const { t } = useTranslation('onboarding')
  const path = useLocation({ select: ({ pathname }) => pathname })
  const isOff = !canStart(tour.key, path)
  const Icon = isOff ? Lock : isDone ? CircleCheck : Circle
  return (
    <Menu.Item
      disabled={isOff}
      data-tip={isOff ? t('help.needs_preview') : undefined}
      onClick={onChoose}
      className="help-tour"
    >
      <Icon
        role="img"
        aria-label={t(isDone ? 'help.completed' : 'help.not_completed')}
        aria-hidden={isOff || undefined}
        className={isDone && !isOff ? 'icon text-success' : 'icon text-ink-3'}
      />
      <span className="help-name">{tour.name}</span>
      <span className="help-about">{isOff ? t('help.needs_preview') : tour.description}</span>
      <span className="help-tags">
        {tour.tags.map((tag) => (
          <span key={tag} className="help-tag" data-colour={tagColour(tag)}>
            {t(`tag.${tag}`)}
          </span>
        ))}
      </span>
    </Menu.Item>
  )
}
