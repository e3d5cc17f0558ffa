import { z } from 'zod'
import { paths } from './paths.ts'
import { installedProductId, instant } from './primitives.ts'
import { route } from './route.ts'
import { instrumentTypes } from './vocabulary.ts'

/** Automatic support e-mails: about which errors they go out, and who has unsubscribed. Document 2, wire 3, 3-decisions 7. */

/** An error about which a mail goes out by itself, and whether the instrument's contact still gets it. */
export const supportEmail = z.object({
  componentName: z.string(),
  /** The digits of the error's template id. */
  errorCode: z.string(),
  /** Its placeholders filled in for this instrument. */
  subject: z.string(),
  unsubscribed: z.boolean(),
  /** This and the next two: null for who is subscribed. */
  unsubscriptionDate: instant.nullable(),
  contactEmail: z.string().nullable(),
  /** When mails go out again; null for never. */
  expires: instant.nullable(),
})
export type SupportEmail = z.output<typeof supportEmail>

export const listSupportEmails = route({
  ...paths.listSupportEmails,
  summary: 'Errors of an instrument about which its contact is mailed by itself, and what they unsubscribed from',
  query: z.strictObject({
    instrumentIpid: installedProductId,
    /** An instrument of another type than asked for is not found. */
    instrumentType: z.enum(instrumentTypes).optional(),
  }),
  /** By component, then by error code. */
  answer: z.array(supportEmail),
  errors: ['session-expired', 'feature-off', 'not-found'],
  access: { kind: 'signed-in', flags: ['AUTO_EMAIL'] },
})
