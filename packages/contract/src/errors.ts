import { z } from 'zod'

/**
 * Every error code of the API with its HTTP status and title. Codes are stable; the sentence in `detail` is written
 * where the error is thrown and says what to do. The console has its own texts for the sign-in codes (wire 10).
 */
export const errorCatalogue = {
  // Sign-in: wire 10
  'bad-credentials': { status: 401, title: 'Wrong user name or password' },
  'session-expired': { status: 401, title: 'Session expired' },
  'attempts-exceeded': { status: 429, title: 'Too many failed attempts' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'mail-busy': { status: 503, title: 'Mail service busy' },
  'wrong-user-ids': { status: 400, title: 'Not a user id' },
  'wrong-code': { status: 400, title: 'Wrong code' },
  'code-expired': { status: 400, title: 'Code expired' },
  'challenge-expired': { status: 401, title: 'Sign-in step expired' },
  'invalid-parameter': { status: 400, title: 'Wrong format' },
  'sms-failed': { status: 502, title: 'SMS not sent' },
  'password-policy': { status: 400, title: 'Password refused' },
  'bad-phone': { status: 400, title: 'Invalid mobile number' },
  // Access
  'wrong-role': { status: 403, title: 'Not allowed for this role' },
  'feature-off': { status: 403, title: 'Feature switched off' },
  'cross-site': { status: 403, title: 'Request from another site' },
  'not-owner': { status: 403, title: 'Only the owner may do this' },
  // Requests
  'malformed-json': { status: 400, title: 'Malformed JSON' },
  'unreadable-request': { status: 400, title: 'Not an HTTP request' },
  'request-timeout': { status: 408, title: 'Request timed out' },
  'headers-too-large': { status: 431, title: 'Headers too large' },
  'validation-failed': { status: 400, title: 'Invalid request' },
  'not-found': { status: 404, title: 'Not found' },
  'payload-too-large': { status: 413, title: 'Request too large' },
  'unsupported-media-type': { status: 415, title: 'Media type not supported' },
  'upgrade-required': { status: 426, title: 'Websocket required' },
  // Service events: 3-decisions 4
  'bad-change': { status: 400, title: 'Change not possible' },
  'unknown-owner': { status: 400, title: 'Invalid owner' },
  'status-conflict': { status: 409, title: 'Not possible in this status' },
  'version-mismatch': { status: 412, title: 'Changed in the meantime' },
  'selection-too-large': { status: 400, title: 'Too many events selected' },
  // Maintenance: wire 6
  'bad-maintenance': { status: 400, title: 'Invalid maintenance' },
  // Support e-mails: wire 9
  'unsubscribe-token': { status: 404, title: 'Invalid link' },
  'unknown-placeholder': { status: 400, title: 'Unknown placeholder' },
  // Profiles: 3-decisions 9
  'bad-profile': { status: 400, title: 'Invalid profile' },
  // Back office: wire 10
  'bad-event': { status: 400, title: 'Invalid event' },
  'bad-log': { status: 400, title: 'Invalid log line' },
  // Saved views
  'view-name-taken': { status: 409, title: 'View already exists' },
  'not-own-view': { status: 403, title: 'View of another user' },
  'too-many-views': { status: 409, title: 'Too many views' },
  // Calendar feeds
  'too-many-calendars': { status: 409, title: 'Too many calendars' },
  // Webhooks
  'too-many-webhooks': { status: 409, title: 'Too many webhooks' },
  // Ingest: wire 12
  'bad-gateway-key': { status: 401, title: 'Invalid gateway key' },
  'other-gateway': { status: 403, title: 'Key of another gateway' },
  // Registry: wire 13
  'unknown-reference': { status: 400, title: 'Reference not registered' },
  'in-use': { status: 409, title: 'In use' },
  // Administration
  'login-taken': { status: 409, title: 'User already exists' },
  'own-account': { status: 409, title: 'Not allowed on your own account' },
  'last-administrator': { status: 409, title: 'Last administrator' },
  // The server itself
  overloaded: { status: 503, title: 'Overloaded' },
  unavailable: { status: 503, title: 'Not available' },
  internal: { status: 500, title: 'Internal error' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof errorCatalogue

/** Codes that any route may answer. */
export const commonErrors = ['malformed-json', 'validation-failed', 'overloaded', 'unavailable', 'internal'] as const

/** Body of every error answer: RFC 9457 plus the members of 3-decisions 6. `ErrorBody` equals `detail`. */
export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  ErrorBody: z.string(),
  code: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})
export type Problem = z.output<typeof problem>
