import { parse } from 'csv-parse/browser/esm/sync'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { ManagedCompany } from '#shared/identity/administration/administration.ts'

/** Maximum number of rows per file. */
export const MAX_ROWS = 2_000

export type Problem = 'email' | 'twice' | 'company' | 'companies' | 'role'
/** One row of the file. `problem` is null when it can be invited. */
export type PersonRow = {
  email: string
  /** Empty for the default company. A name that several companies have is a problem. */
  company: string
  companyId: string | null
  role: RoleName
  /** The role as the file has it. */
  roleText: string
  problem: Problem | null
}

const columns = {
  email: /^(e-?mail|mail|address|adresse|courriel|e-mail address|adresse e-mail)$/,
  company: /^(company|organi[sz]ation|société|societe|entreprise)$/,
  role: /^(role|rôle)$/,
}
const roles: Record<string, RoleName> = {
  ...{ '': 'member', member: 'member', user: 'member', membre: 'member', utilisateur: 'member' },
  ...{ company_admin: 'company_admin', 'company admin': 'company_admin', admin: 'company_admin' },
  ...{ administrateur: 'company_admin', 'administrateur d’entreprise': 'company_admin' },
  ...{
    "administrateur d'entreprise": 'company_admin',
    super_admin: 'super_admin',
    'super admin': 'super_admin',
  },
}

type Options = { companies: readonly ManagedCompany[]; companyId: string; isSuper: boolean }

/**
 * Reads people from a CSV file with a column `email`, and optionally `company` and `role`; a file without a header is a list of
 * addresses. Returns null when there is no column of addresses, or the file is no CSV.
 */
export function readPeople(text: string, options: Options): PersonRow[] | null {
  const rows = readRows(text)
  if (!rows) return null
  const head = (rows[0] ?? []).map((cell) => cell.trim().toLowerCase())
  const placeOf = (pattern: RegExp) => head.findIndex((name) => pattern.test(name))
  const hasHead = placeOf(columns.email) >= 0
  const at = hasHead
    ? { email: placeOf(columns.email), company: placeOf(columns.company), role: placeOf(columns.role) }
    : { email: head.findIndex((cell) => isEmail(addressIn(cell))), company: -1, role: -1 }
  if (at.email < 0) return null
  const seen = new Set<string>()
  return rows.slice(hasHead ? 1 : 0).map((row) => {
    const cell = (place: number) => row[place]?.trim() ?? ''
    return checked({ email: cell(at.email), company: cell(at.company), role: cell(at.role) }, options, seen)
  })
}

function readRows(text: string): string[][] | null {
  try {
    return parse(text, {
      ...{ bom: true, delimiter: [',', ';', '\t'], relax_column_count: true, skip_empty_lines: true },
      to: MAX_ROWS + 1,
    }) as string[][]
  } catch {
    // A quote that is never closed, or bytes that are no text.
    return null
  }
}

function checked(
  { email, company, role }: Record<'email' | 'company' | 'role', string>,
  { companies, companyId, isSuper }: Options,
  seen: Set<string>,
): PersonRow {
  const address = addressIn(email)
  const named = companies.filter(({ name }) => name.toLowerCase() === company.toLowerCase())
  // Any administrator can rename a company: of two with one name, the file may mean either.
  const found = company ? (named.length === 1 ? named[0]?.id : undefined) : companyId
  const known = roles[role.toLowerCase()]
  const problem = (): Problem | null => {
    if (!isEmail(address)) return 'email'
    if (seen.has(address)) return 'twice'
    if (!found) return named.length > 1 ? 'companies' : 'company'
    return known && (isSuper || known !== 'super_admin') ? null : 'role'
  }
  const row = {
    email: address,
    company,
    companyId: found ?? null,
    role: known ?? 'member',
    roleText: role,
    problem: problem(),
  }
  seen.add(address)
  return row
}

/** Returns the address of a cell such as `Inès Brunet <ines@orsane.eu>` or `mailto:ines@orsane.eu`, in lower case. */
const addressIn = (cell: string) =>
  (/<([^<>]+)>\s*$/.exec(cell)?.[1] ?? cell)
    .trim()
    .replace(/^mailto:/i, '')
    .toLowerCase()

const isEmail = (text: string) => /^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$/.test(text)
