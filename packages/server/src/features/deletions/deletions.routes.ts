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
  bind(app, contract.deleteInstrument, ({ caller, params }) => deleteInstrument(context, { id: params.id, caller }))
  bind(app, contract.deleteServiceEvent, ({ caller, params }) => deleteServiceEvent(context, { id: params.id, caller }))
  bind(app, contract.deleteLogEntry, ({ caller, params }) => deleteLogEntry(context, { id: params.id, caller }))
  bind(app, contract.deleteProfile, ({ caller, params }) => deleteProfile(context, { id: params.id, caller }))
  bind(app, contract.listUserProfiles, ({ caller, params }) => profilesOf(context, { userId: params.id, caller }))
  bind(app, contract.deleteUser, ({ caller, params }) => deleteUser(context, { id: params.id, caller }))
}
