import { useMe } from '../../lib/me/me.ts'
import { Checkbox } from '../checkbox.tsx'

type Props = {
  title: string
  hint: string
  value: readonly string[]
  onChange: (companies: string[]) => void
}

/** The companies to share with, of those the person administers. */
export function CompanyChoice({ title, hint, value, onChange }: Props) {
  const user = useMe()
  const own = user?.company_affiliations.filter(({ role }) => role.name !== 'member') ?? []
  return (
    <fieldset className="grid gap-2 rounded-card border border-line p-3.5">
      <legend className="text-13 font-medium">{title}</legend>
      {own.map(({ company: { id, name } }) => (
        <Checkbox
          key={id}
          checked={value.includes(id)}
          onCheckedChange={(isOn) => onChange(isOn ? [...value, id] : value.filter((one) => one !== id))}
          label={name}
        />
      ))}
      <p className="text-12 text-ink-3">{hint}</p>
    </fieldset>
  )
}
