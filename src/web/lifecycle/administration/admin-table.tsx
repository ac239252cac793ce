import clsx from 'clsx'
import type { ReactNode } from 'react'

type AdminTableProps = {
  columns: readonly string[]
  /** Accessible name of the column with the row's buttons. */
  actions: string
  className?: string
  /** Checkbox of the first column that selects all rows. */
  selection?: ReactNode
  children: ReactNode
}

/** Administration table with buttons at the end of each row. */
export function AdminTable({ columns, actions, className, selection, children }: AdminTableProps) {
  return (
    <div className="admin-card">
      <table className={clsx('admin-table', className)}>
        <thead>
          <tr>
            {selection && <th scope="col">{selection}</th>}
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">{actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
