import { z } from 'zod'
import { paths } from './paths.ts'
import { id, line } from './primitives.ts'
import { profile } from './profiles.ts'
import { route } from './route.ts'

/**
 * Permanent deletion by support and administrators, allowed by the ALLOW_*_DELETE flags: 3-decisions 5. Each deletion
 * is written to the audit log.
 */

const ofDeleter = ['session-expired', 'wrong-role', 'feature-off', 'not-found'] as const
const roles = ['support', 'admin'] as const
const shared = { params: z.object({ id }), success: [204] as const, errors: ofDeleter }

export const deleteInstrument = route({
  ...paths.deleteInstrument,
  ...shared,
  params: z.object({ id: line(64) }),
  summary: 'Delete an instrument with its events, logs and everything else of it',
  access: { kind: 'signed-in', roles, flags: ['ALLOW_ASSET_DELETE'] },
})

export const deleteServiceEvent = route({
  ...paths.deleteServiceEvent,
  ...shared,
  summary: 'Delete a service event with what was mailed and told about it; its record stays',
  access: { kind: 'signed-in', roles, flags: ['ALLOW_EVENT_DELETE'] },
})

export const deleteLogEntry = route({
  ...paths.deleteLogEntry,
  ...shared,
  params: z.object({ id: line(64) }),
  summary: 'Delete a log line',
  access: { kind: 'signed-in', roles, flags: ['ALLOW_LOG_DELETE'] },
})

export const deleteProfile = route({
  ...paths.deleteProfile,
  ...shared,
  summary: 'Delete a profile of any user in scope: it is as if never set; made anew when they ask for it',
  access: { kind: 'signed-in', roles, flags: ['ALLOW_PROFILE_DELETE'] },
})

export const listUserProfiles = route({
  ...paths.listUserProfiles,
  summary: 'The profiles that somebody has set, to choose which to delete',
  params: z.object({ id }),
  answer: z.array(profile),
  errors: ofDeleter,
  access: { kind: 'signed-in', roles, flags: ['ALLOW_PROFILE_DELETE'] },
})

export const deleteUser = route({
  ...paths.deleteUser,
  ...shared,
  errors: [...ofDeleter, 'own-account', 'last-administrator'],
  summary: 'Delete a user: sessions end, personal data go; what they did stays under their name in the record',
  access: { kind: 'signed-in', roles, flags: ['ALLOW_USER_DELETE'] },
})
