import * as contract from '@benchwatch/contract/administration/deletions'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import type { LogStore } from '../logs/log-store.ts'
import {
  deleteInstrument,
  deleteLogEntry,
  deleteProfile,
  deleteServiceEvent,
  deleteUser,
  profilesOf,
} from './deletions.service.ts'

export function registerDeletionRoutes(app: FastifyInstance, context: FeatureContext & { logs: LogStore }): void {
  const { bind } = context
  bind(app, contract.deleteInstrument, async ({ caller, params }) => {
    await deleteInstrument(context, { id: params.id, caller })
    return undefined
  })
  bind(app, contract.deleteServiceEvent, async ({ caller, params }) => {
    await deleteServiceEvent(context, { id: params.id, caller })
    return undefined
  })
  bind(app, contract.deleteLogEntry, async ({ caller, params }) => {
    await deleteLogEntry(context, { id: params.id, caller })
    return undefined
  })
  bind(app, contract.deleteProfile, async ({ caller, params }) => {
    await deleteProfile(context, { id: params.id, caller })
    return undefined
  })
  bind(app, contract.listUserProfiles, ({ caller, params }) => profilesOf(context, { userId: params.id, caller }))
  bind(app, contract.deleteUser, async ({ caller, params }) => {
    await deleteUser(context, { id: params.id, caller })
    return undefined
  })
}
