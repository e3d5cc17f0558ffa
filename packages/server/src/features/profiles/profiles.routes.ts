import { listProfiles as listProfilesRoute } from '@benchwatch/contract/profiles'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { profileTypes } from './profile-settings.ts'
import { listProfiles } from './profiles.queries.ts'
import { addMissingProfiles } from './profiles.store.ts'

export function registerProfileRoutes(app: FastifyInstance, { bind, db, clock }: FeatureContext): void {
  bind(app, listProfilesRoute, async ({ caller }) => {
    const stored = await listProfiles(db, caller.id)
    if (stored.length === profileTypes.length) return stored
    await addMissingProfiles(db, { userId: caller.id, at: clock.now() })
    return listProfiles(db, caller.id)
  })
}
