import { Search } from 'lucide-react'
import { Input } from '../../platform/ui/input.tsx'

type AdminSearchProps = { label: string; value: string; onSearch: (typed: string) => void }

/** The search field in the head of an administration page. */
export function AdminSearch({ label, value, onSearch }: AdminSearchProps) {
  return (
    <Input
      type="search"
      quiet
      icon={<Search aria-hidden />}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={value}
      className="admin-search"
      onChange={({ target }) => onSearch(target.value)}
    />
  )
}
