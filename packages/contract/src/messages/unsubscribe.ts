import { z } from 'zod'
import { MAX_ADDRESS_LENGTH } from '../field-rules.ts'
import { paths } from '../paths.ts'
import { id, instant, instrumentTypeKey, line, text } from '../primitives.ts'
import { backOffice, notBackOffice, route } from '../route.ts'
import { limits } from '../vocabulary.ts'

/**
 * Unsubscribing from an automatic support e-mail through its link, for this contact, instrument and warning. Wire 9,
 * 3-decisions 7, document 2 section 2. GET changes nothing, because mail scanners follow links.
 */

/** At most 70 characters; this server's tokens have 43. All invalid tokens within the limit get the same answer. */
const token = z.string().max(limits.unsubscribeToken)
const errors = ['unsubscribe-token', 'too-many-requests'] as const

export const getUnsubscribeInformation = route({
  ...paths.getUnsubscribeInformation,
  summary: 'The warning that the link unsubscribes from; changes nothing',
  query: z.strictObject({ token }),
  answer: z.object({
    eventTemplateId: z.string(),
    instrumentProductDescription: z.string(),
    instrumentDefinedSystemName: z.string().nullable(),
    errorCode: z.string(),
    componentName: z.string(),
    instrumentType: instrumentTypeKey,
    /** True if the link was used before; the page then says so and offers nothing else. */
    isUnsubscribed: z.boolean(),
    /** Time when e-mails resume; null for never, and if the contact has not unsubscribed. */
    unsubscribedUntil: instant.nullable(),
  }),
  errors,
  access: { kind: 'public' },
})

const answer = z.object({ unsubscribedUntil: instant.nullable() })

export const unsubscribe = route({
  ...paths.unsubscribe,
  summary: 'Unsubscribe for 30 days or permanently. Repeating it changes nothing; a permanent one stays permanent',
  body: z.strictObject({ token, unsubscribeDays: z.literal(30).nullable() }),
  answer,
  errors,
  access: { kind: 'public' },
})

export const unsubscribeOneClick = route({
  ...paths.unsubscribeOneClick,
  summary: 'Unsubscribe permanently through the mail client’s own button (RFC 8058)',
  query: z.strictObject({ token }),
  /** The form `List-Unsubscribe=One-Click`. Optional and ignored, because the link identifies everything. */
  body: text(1000).nullish(),
  bodyTypes: ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'],
  answer,
  errors,
  access: { kind: 'public' },
})

export const openUnsubscribePage = route({
  ...paths.openUnsubscribePage,
  summary: 'Redirect mail clients without one-click support to the page, which asks first',
  query: z.strictObject({ token }),
  success: [302],
  errors: [],
  access: { kind: 'public' },
})

/** Wire 10. */
export const listUnsubscriptions = route({
  ...paths.listUnsubscriptions,
  summary: 'Unsubscriptions for instruments in scope; the newest 200 that match',
  query: z.strictObject({
    contactEmail: line(MAX_ADDRESS_LENGTH).optional(),
    instrumentIpid: line(64).optional(),
    componentName: line(120).optional(),
    errorCode: line(40).optional(),
  }),
  answer: z.array(
    z.object({
      id,
      contactEmail: z.string(),
      instrumentIpid: z.string(),
      componentName: z.string(),
      errorCode: z.string(),
    }),
  ),
  errors: notBackOffice,
  access: backOffice,
})

export const deleteUnsubscription = route({
  ...paths.deleteUnsubscription,
  summary: 'End an unsubscription, so that the contact gets e-mails again',
  params: z.object({ id }),
  success: [204],
  errors: [...notBackOffice, 'not-found'],
  access: backOffice,
})
