import type { ServiceWorld } from './service-world.ts'

/** Settings of an installation whose clients are known at the services of a world. */
export const serviceConfig = ({ url }: ServiceWorld): Record<string, string> => ({
  ...{ GOOGLE_MAIL_CLIENT_ID: 'atrium', GOOGLE_MAIL_CLIENT_SECRET: 'secret-of-atrium', GOOGLE_MAIL_URL: url },
  ...{ GOOGLE_CALENDAR_URL: url, MICROSOFT_MAIL_URL: url, JIRA_URL: url },
  ...{ MICROSOFT_MAIL_CLIENT_ID: 'atrium', MICROSOFT_MAIL_CLIENT_SECRET: 'secret-of-atrium' },
  ...{ JIRA_CLIENT_ID: 'atrium', JIRA_CLIENT_SECRET: 'secret-of-atrium' },
})
