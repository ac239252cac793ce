import * as z from 'zod'
import type { SignInService } from '../signed-account.ts'
import { createOutlookCalendar } from './outlook-calendar.ts'
import { createOutlookMail } from './outlook-mail.ts'

const SCOPES = 'offline_access User.Read Mail.ReadWrite Mail.Send Calendars.ReadWrite'

const Me = z.object({ mail: z.string().nullish(), userPrincipalName: z.string() })

/** Outlook mail and calendar of a person. */
export const microsoft: SignInService = {
  serviceOf: (config) =>
    config.MICROSOFT_MAIL_CLIENT_ID
      ? {
          ...{ issuer: null, revoke: null, methods: [], names_itself: false, resource: null, scope: SCOPES },
          authorize: `${config.MICROSOFT_MAIL_SIGN_IN_URL}/oauth2/v2.0/authorize`,
          token: `${config.MICROSOFT_MAIL_SIGN_IN_URL}/oauth2/v2.0/token`,
          client_id: config.MICROSOFT_MAIL_CLIENT_ID,
          client_secret: config.MICROSOFT_MAIL_CLIENT_SECRET ?? null,
        }
      : null,
  parameters: { prompt: 'select_account' },
  trusted: (config) => [config.MICROSOFT_MAIL_URL],
  whoIs: async (ask, config, signal) => {
    const answer = await ask(`${config.MICROSOFT_MAIL_URL}/v1.0/me`, { signal })
    const { mail, userPrincipalName } = Me.parse(await answer.json())
    return { address: mail || userPrincipalName }
  },
  open: (context) => ({
    ...{ address: context.address, name: '' },
    mail: createOutlookMail(context),
    calendar: createOutlookCalendar(context),
  }),
}
