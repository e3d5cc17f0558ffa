import { z } from 'zod'
import { paths } from './paths.ts'
import { route } from './route.ts'

/** The help site lies under `/help-site/` and requires sign-in: document 2 section 2, 3-decisions 2. */

export const createHelpCookie = route({
  ...paths.createHelpCookie,
  summary:
    'Set the cookie for the help site, valid only for /help-site/; renewed one second after its token has expired',
  /** `expiresIn`: seconds until the token in the cookie expires. The cookie itself lives one second longer. */
  answer: z.object({ expiresIn: z.number().int() }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})
