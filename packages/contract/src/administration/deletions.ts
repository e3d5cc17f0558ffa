import { z } from 'zod'
import { profile } from '../messages/profiles.ts'
import { paths } from '../paths.ts'
import { id, line } from '../primitives.ts'
import { route } from '../route.ts'

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
  summary: 'Delete an instrument with its events, logs and all other data',
  access: { kind: 'signed-in', roles, flags: ['ALLOW_ASSET_DELETE'] },
})

export const deleteServiceEvent = route({
  ...paths.deleteServiceEvent,
  ...shared,
  summary: 'Delete a service event with its e-mails and notifications; its audit log stays',
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
  summary: 'Reset a profile of any user in scope to its defaults by deleting it',
  access: { kind: 'signed-in', roles, flags: ['ALLOW_PROFILE_DELETE'] },
})

export const listUserProfiles = route({
  ...paths.listUserProfiles,
  summary: 'Stored profiles of a user',
  params: z.object({ id }),
  answer: z.array(profile),
  errors: ofDeleter,
  access: { kind: 'signed-in', roles, flags: ['ALLOW_PROFILE_DELETE'] },
})

export const deleteUser = route({
  ...paths.deleteUser,
  ...shared,
  errors: [...ofDeleter, 'own-account', 'last-administrator'],
  summary: 'Delete a user: ends their sessions and removes personal data; the audit log keeps their actions and name',
  access: { kind: 'signed-in', roles, flags: ['ALLOW_USER_DELETE'] },
})
