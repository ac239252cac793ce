import clsx from 'clsx'
import type { ReactNode } from 'react'

type AdminTableProps = {
  columns: readonly string[]
  /** What the buttons at the end of a row do, for who does not see them. */
  actions: string
  className?: string
  children: ReactNode
}

/** A table of the administration: rows that end in their buttons. */
export function AdminTable({ columns, actions, className, children }: AdminTableProps) {
  return (
    <div className="admin-card">
      <table className={clsx('admin-table', className)}>
        <thead>
          <tr>
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
