import type { Route } from '../../../src/shared/platform/http.ts'
import type { Described } from './calls/described.ts'
import { people, type Who } from './people.ts'

export type TableRow = { route: Route; call: Described; isShared: boolean; through: Who[] }

const levelNames = {
  public: 'anybody',
  visitor: 'visitor',
  user: 'signed in',
  admin: 'administrator',
  super_admin: 'super admin',
}

/** Renders docs/access.md from the measured results. */
export function renderTable(rows: TableRow[]): string {
  const head = ['route', 'level', 'and may', ...people]
  const lines = rows.map((row) => [
    `\`${row.route.method} ${row.route.base ?? ''}${row.route.path}\``,
    levelNames[row.route.access],
    wishOf(row),
    ...people.map((who) => (row.through.includes(who) ? '✓' : '·')),
  ])
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return `${intro}\n${[head, head.map(() => '---'), ...lines].map(line).join('\n')}\n`
}

function wishOf({ route, call, isShared }: TableRow): string {
  const of = (wish: string) =>
    /(assistant|tool|tool-set)$/.test(wish) ? `${wish} (${isShared ? 'shared' : 'private'})` : wish
  const wishes = [
    route.may ? of(route.may) : '',
    call.names ? `${of(call.names)}, named in the request` : '',
    call.shows ? `finds what they may ${of(call.shows.thing)}` : '',
  ]
  return wishes.filter(Boolean).join('; ')
}

const intro = `# Who may do what

Written by \`npm run access-table\` from what the product does: \`src/server/platform/access/table.test.ts\` calls every route as
everybody with a valid request and fails when somebody gets through who should not, or does not who should. ✓: the
call gets through, or is refused for what the request says. ·: 401, 403 or 404; in a list, the thing is not found in it.

All things belong to the **owner**, a member of a company. **Colleague** and **company admin** belong to the same company; the
**stranger** is a member of another one and **admin elsewhere** administers that; the **super admin** belongs to a third one. The
**expired** and the **revoked token** were the owner's. An **embed token** is what an address brings as \`authToken\`: it signs nobody
in, be it the owner's own. An **API key** is one of the owner's, for everything a key can be for.
A **visitor** has an assistant of the owner's open that is embedded in another page. A shared assistant is published and shared with the company; a shared tool is shared with it. What a **level** lets in is
decided first, then what one may do with what the path names.
`
