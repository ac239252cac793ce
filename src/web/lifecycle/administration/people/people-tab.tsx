import { useState } from 'react'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import type { useManagedUsers } from '../use-managed.ts'
import { BulkBar } from './bulk-bar.tsx'
import { PeopleTable } from './people-table.tsx'

type PeopleTabProps = {
  people: ReturnType<typeof useManagedUsers>
  typed: string
  page: number
  onPage: (page: number) => void
  onOpen: (userId: string) => void
}

/** The list of people with what can be done to several of them. */
export function PeopleTab(props: PeopleTabProps) {
  const [selected, setSelected] = useState<ReadonlyMap<string, ManagedUser>>(new Map())
  const select = (users: ManagedUser[], isSelected: boolean) => {
    const next = new Map(selected)
    for (const user of users) {
      if (isSelected) next.set(user.id, user)
      else next.delete(user.id)
    }
    setSelected(next)
  }
  return (
    <>
      <BulkBar selected={[...selected.values()]} onClear={() => setSelected(new Map())} />
      <PeopleTable {...props} selected={selected} onSelect={select} />
    </>
  )
}
