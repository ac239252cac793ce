import { Check, Minus } from 'lucide-react'
import { mayInProject, ProjectRole, projectActions } from '#shared/chat/projects/roles.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

/** The table of what each role may do: the same one that the server applies. */
export function RoleTable() {
  const { t } = useTranslation('projects')
  return (
    <section aria-labelledby="role-table">
      <h2 id="role-table" className="pb-2 text-13 font-semibold">
        {t('roles.title')}
      </h2>
      <div className="overflow-x-auto rounded-card border border-line">
        <table className="w-full text-12">
          <thead className="border-b border-line text-ink-2">
            <tr>
              <th scope="col" className="px-3 py-2 text-left font-medium">
                {t('roles.action')}
              </th>
              {ProjectRole.options.map((role) => (
                <th key={role} scope="col" className="px-1.5 py-2 font-medium last:pr-3">
                  {t(`roles.${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {projectActions.map((action) => (
              <tr key={action}>
                <th scope="row" className="px-3 py-2 text-left font-regular">
                  {t(`actions.${action}`)}
                </th>
                {ProjectRole.options.map((role) => {
                  const isAllowed = mayInProject(role, action)
                  const Icon = isAllowed ? Check : Minus
                  return (
                    <td key={role} className="px-1.5 py-2 text-center last:pr-3">
                      <Icon
                        role="img"
                        aria-label={t(isAllowed ? 'roles.yes' : 'roles.no')}
                        className={`icon-14 mx-auto ${isAllowed ? 'text-success' : 'text-ink-3'}`}
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
