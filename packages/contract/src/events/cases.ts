import { z } from 'zod'
import { paths } from '../paths.ts'
import { id, instantInput, line, text } from '../primitives.ts'
import { route } from '../route.ts'
import { limits } from '../vocabulary.ts'
import { serviceEvent } from './events.ts'

/** Service cases that the case desk creates for events (CASE_DESK_FILE), and what the desk reports about them. */

export const requestCase = route({
  ...paths.requestCase,
  summary: 'Have the case desk create a service case; the event is closed with it when it exists. Supports If-Match',
  params: z.object({ id }),
  body: z.strictObject({}),
  answer: serviceEvent,
  /** `not-found` also without a case desk. A request that is already waiting returns the unchanged event. */
  errors: ['session-expired', 'not-found', 'not-owner', 'status-conflict', 'version-mismatch'],
  access: { kind: 'signed-in' },
})

export const cancelCase = route({
  ...paths.cancelCase,
  summary: 'Stop creating the service case; the event stays as it is',
  params: z.object({ id }),
  answer: serviceEvent,
  errors: ['session-expired', 'not-found', 'not-owner', 'status-conflict'],
  access: { kind: 'signed-in' },
})

/**
 * A report that is older than the last one changes nothing, and neither does a repeat, so both are answered with 204 as
 * well. Everyone who sees the event reads the note in its history.
 */
export const reportCase = route({
  ...paths.reportCase,
  summary: 'Report what happened to a service case that the case desk created',
  params: z.object({ number: line(40) }),
  body: z.strictObject({
    /** In the words of the desk, such as `Technician on the way`. */
    status: line(limits.caseStatus).refine((value) => value.trim() !== '', { error: 'must not be empty' }),
    /** Replaces the URL of the case. It must be https at one of the hosts of CASE_URL_HOSTS. */
    url: text(limits.serviceMaxUrl).optional(),
    note: text(limits.caseNote).optional(),
    /** When the case got this status; at most five minutes in the future. */
    at: instantInput,
  }),
  success: [204],
  errors: ['session-expired', 'wrong-role', 'not-found', 'bad-change'],
  access: { kind: 'cases' },
})
