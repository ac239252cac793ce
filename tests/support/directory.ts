import type { TestApp } from './app.ts'
import { aCompany, aUser } from './builders.ts'

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Answer = { status: number; body: any }

/** Creates a company's directory, which calls over SCIM. */
export async function aDirectory(app: TestApp, companyId?: string) {
  const id = companyId ?? (await aCompany(app))
  const admin = await aUser(app, { role: 'company_admin', companyId: id })
  const url = `/api/v1/admin/companies/${id}/directory`
  const { token } = (await app.http.inject({ method: 'POST', url, headers: admin.headers })).json()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
  const scim = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Answer> => {
    const payload = body && JSON.stringify(body)
    const answer = await app.http.inject({ method, url: `/scim/v2${path}`, headers, payload })
    return { status: answer.statusCode, body: answer.payload ? answer.json() : null }
  }
  return {
    ...{ companyId: id, admin, scim },
    patch: (userId: string, ...Operations: object[]) => scim('PATCH', `/Users/${userId}`, { Operations }),
    setActive: (userId: string, value: unknown) =>
      scim('PATCH', `/Users/${userId}`, { Operations: [{ op: 'replace', path: 'active', value }] }),
    /** Returns why the last change was refused or partly skipped. */
    refusal: async (): Promise<string | undefined> =>
      (await app.http.inject({ method: 'GET', url, headers: admin.headers })).json().last_refusal?.detail,
  }
}
