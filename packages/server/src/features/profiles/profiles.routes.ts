import {
  listProfiles as listProfilesRoute,
  type NotificationSettings,
  previewProfile as previewProfileRoute,
  updateProfile as updateProfileRoute,
} from '@benchwatch/contract/messages/profiles'
import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { hasSms } from '../outgoing-messages.ts'
import { profileTypes } from './profile-settings.ts'
import { findProfile, listProfiles, previewProfile } from './profiles.queries.ts'
import { allowedSettings, noSuchProfile, updateProfile } from './profiles.service.ts'
import { addMissingProfiles } from './profiles.store.ts'

export function registerProfileRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db, clock, config } = context

  bind(app, listProfilesRoute, async ({ caller }) => {
    const stored = await listProfiles(db, caller.id)
    if (stored.length === profileTypes.length) return stored
    await addMissingProfiles(db, { userId: caller.id, at: clock.now() })
    return listProfiles(db, caller.id)
  })

  bind(app, updateProfileRoute, ({ params, body, caller }) =>
    updateProfile(context, { id: params.id, change: body, caller }),
  )

  bind(app, previewProfileRoute, async ({ params, body, caller }) => {
    const row = await findProfile(db, { id: params.id, userId: caller.id })
    if (!row) throw noSuchProfile()
    if (row.profile_type === 'email') {
      throw problem(
        'bad-profile',
        'The profile email sends no notifications. Preview one of the two notification profiles.',
      )
    }
    return previewProfile(db, {
      kind: row.profile_type,
      settings: allowedSettings(row.profile_type, body, config) as NotificationSettings,
      userId: caller.id,
      hasSms: hasSms(config),
      now: clock.now(),
    })
  })
}
