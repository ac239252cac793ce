import * as z from 'zod'
import type { SignInService } from '../signed-account.ts'
import { createGmail } from './gmail.ts'
import { createGoogleCalendar } from './google-calendar.ts'

const SCOPES = [
  'https://www.googleapis.com/auth/gmail.modify',
  'https://www.googleapis.com/auth/calendar.events',
].join(' ')

const Profile = z.object({ emailAddress: z.string() })

/** Gmail and Google Calendar of a person. */
export const google: SignInService = {
  serviceOf: (config) =>
    config.GOOGLE_MAIL_CLIENT_ID
      ? {
          ...{ issuer: null, revoke: null, methods: [], names_itself: false, resource: null, scope: SCOPES },
          ...{ authorize: config.GOOGLE_MAIL_AUTHORIZE_URL, token: config.GOOGLE_MAIL_TOKEN_URL },
          client_id: config.GOOGLE_MAIL_CLIENT_ID,
          client_secret: config.GOOGLE_MAIL_CLIENT_SECRET ?? null,
        }
      : null,
  // Google issues a refresh token only with both.
  parameters: { access_type: 'offline', prompt: 'consent' },
  trusted: (config) => [config.GOOGLE_MAIL_URL, config.GOOGLE_CALENDAR_URL],
  whoIs: async (ask, config, signal) => {
    const answer = await ask(`${config.GOOGLE_MAIL_URL}/gmail/v1/users/me/profile`, { signal })
    return { address: Profile.parse(await answer.json()).emailAddress }
  },
  open: (context) => ({
    ...{ address: context.address, name: '' },
    mail: createGmail(context),
    calendar: createGoogleCalendar(context),
  }),
}
